import 'server-only';
import type { NextAuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { ROLES, Role, type SessionUser } from '@/lib/contract/roles';
import type { Logger } from '@/lib/log';
import { type AuthSettings, usesSecureCookies } from './settings';

declare module 'next-auth' {
  interface Session {
    user: SessionUser;
  }
  interface User {
    id: string;
    name?: string | null;
    role: Role;
  }
}

const SESSION_SECONDS = 12 * 60 * 60;
export const SIGN_IN_PAGE = '/signin';

/**
 * next-auth's options.
 * @param origin the origin that the browser used (its `Host` is checked before), so that a visitor who came by
 *   `localhost` is not sent on to `127.0.0.1`, where the cookie would be missing
 */
export function authOptions(settings: AuthSettings, log: Logger, origin = settings.url): NextAuthOptions {
  return {
    secret: settings.authSecret,
    providers: [
      ...(settings.localRoles ? [localRoles()] : []),
      ...(settings.oidc ? [openIdConnect(settings.oidc)] : []),
    ],
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: SIGN_IN_PAGE, signOut: SIGN_IN_PAGE, error: SIGN_IN_PAGE },
    useSecureCookies: usesSecureCookies(settings.url),
    callbacks: {
      jwt({ token, user }) {
        if (user) {
          token.sub = user.id;
          token.name = user.name;
          token.role = user.role;
        }
        return token;
      },
      session({ session, token }) {
        const role = Role.safeParse(token.role);
        session.user = {
          id: token.sub ?? 'unknown',
          name: token.name ?? 'Unknown',
          role: role.success ? role.data : 'auditor',
        };
        return session;
      },
      redirect: ({ url }) => sameOrigin(url, origin),
    },
    logger: {
      error: (code, details) => {
        // A cookie that is old, or made with another secret, is a stranger's and nobody's mistake.
        const level = code === 'JWT_SESSION_ERROR' ? 'debug' : 'error';
        log[level]({ code, err: asError(details) }, 'auth.error');
      },
      warn: (code) => log.debug({ code }, 'auth.warning'),
      debug: () => undefined,
    },
  };
}

/** Three people to pick from: anyone on this machine can, and the page says so. */
function localRoles() {
  return CredentialsProvider({
    id: 'local',
    name: 'Local role',
    credentials: { role: { label: 'Role', type: 'text' } },
    authorize: (credentials) => {
      const role = Role.safeParse(credentials?.role);
      return role.success ? { id: `local-${role.data}`, name: `Local ${role.data}`, role: role.data } : null;
    },
  });
}

interface OidcProfile {
  readonly sub: string;
  readonly name?: string;
  readonly preferred_username?: string;
  readonly email?: string;
  readonly roles?: unknown;
  readonly groups?: unknown;
}

function openIdConnect(oidc: NonNullable<AuthSettings['oidc']>) {
  return {
    id: 'oidc',
    name: 'Single sign-on',
    type: 'oauth' as const,
    wellKnown: `${oidc.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
    issuer: oidc.issuer,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    authorization: { params: { scope: 'openid profile email' } },
    idToken: true,
    checks: ['pkce' as const, 'state' as const, 'nonce' as const],
    profile: (profile: OidcProfile) => ({
      // A person reads it as the actor of events.
      id: profile.email ?? profile.sub,
      name: profile.name ?? profile.preferred_username ?? profile.email ?? profile.sub,
      role: roleFromClaims(profile),
    }),
  };
}

/** The strongest of `tickmark-admin`, `tickmark-operator`, `tickmark-auditor` among roles and groups; else auditor. */
export function roleFromClaims(profile: Pick<OidcProfile, 'roles' | 'groups'>): Role {
  const claimed = [profile.roles, profile.groups].flat();
  return [...ROLES].reverse().find((role) => claimed.includes(`tickmark-${role}`)) ?? 'auditor';
}

/** Where to go after signing in or out: never to another site. */
function sameOrigin(url: string, origin: string): string {
  try {
    const target = new URL(url, origin);
    return target.origin === origin ? target.href : origin;
  } catch {
    return origin;
  }
}

/** next-auth hands over an error, or an object around one. */
function asError(details: unknown): unknown {
  return details instanceof Error || typeof details !== 'object' || details === null || !('error' in details)
    ? details
    : details.error;
}
