import 'server-only';
import { createHash, timingSafeEqual } from 'node:crypto';
import { decode } from 'next-auth/jwt';
import { SessionUser } from '@/lib/contract/roles';
import type { FindVisitor } from './proxy-visitor';
import { type AuthSettings, sessionCookieName } from './settings';
import { verifyToken } from './token';

/** Who asks, and how that is known: what a browser sends by itself needs protection against requests from other sites. */
export interface Caller {
  readonly user: SessionUser;
  readonly by: 'cookie' | 'bearer' | 'proxy';
}

const ADMIN_SCRIPT: SessionUser = { id: 'admin-token', name: 'Admin token', role: 'admin' };

/**
 * Who a request speaks for; `null` for a stranger. A bearer token that is there decides alone: a wrong one is not
 * made good by a cookie.
 */
export async function authenticate(headers: Headers, settings: AuthSettings): Promise<Caller | null> {
  if (settings.findVisitor) return throughProxy(headers, settings, settings.findVisitor);
  const authorization = headers.get('authorization');
  if (authorization !== null) {
    const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
    const user = token ? await bearerUser(token, settings) : null;
    return user && { user, by: 'bearer' };
  }
  const user = await cookieUser(headers.get('cookie'), settings);
  return user && { user, by: 'cookie' };
}

/** A bearer token that is not ours is the platform's, which its proxy has checked before it wrote who that is. */
async function throughProxy(
  headers: Headers,
  settings: AuthSettings,
  findVisitor: FindVisitor,
): Promise<Caller | null> {
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  const ours = token ? await bearerUser(token, settings) : null;
  if (ours) return { user: ours, by: 'bearer' };
  const visitor = await findVisitor(headers);
  return visitor && { user: visitor.user, by: visitor.isMachine ? 'bearer' : 'proxy' };
}

async function bearerUser(token: string, settings: AuthSettings): Promise<SessionUser | null> {
  if (settings.adminToken && sameSecret(token, settings.adminToken)) return ADMIN_SCRIPT;
  return verifyToken(settings.authSecret, token);
}

/** Digests of both are compared, so that time tells neither content nor length. */
function sameSecret(a: string, b: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Reads next-auth's session cookie, which is in several parts when it is long. */
async function cookieUser(cookieHeader: string | null, settings: AuthSettings): Promise<SessionUser | null> {
  const token = readCookie(cookieHeader ?? '', sessionCookieName(settings.url));
  if (!token) return null;
  try {
    const payload = await decode({ token, secret: settings.authSecret });
    const user = SessionUser.safeParse({ id: payload?.sub, name: payload?.name, role: payload?.role });
    return user.success ? user.data : null;
  } catch {
    // Made with another secret, changed, or expired: a stranger.
    return null;
  }
}

function readCookie(header: string, name: string): string {
  const parts: [number, string][] = [];
  for (const pair of header.split(';')) {
    const [key = '', value = ''] = pair.trim().split('=', 2);
    if (key === name) parts.push([0, value]);
    else if (key.startsWith(`${name}.`)) parts.push([Number(key.slice(name.length + 1)), value]);
  }
  return parts
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value)
    .join('');
}
