import { decode, encode } from 'next-auth/jwt';
import { SessionUser } from '@/lib/contract/roles';

/** Keeps these tokens apart from session cookies, which are made with the same secret. */
const SALT = 'tickmark-cli';
const LIFETIME_SECONDS = 15 * 60;

/** Who the CLI is when it signs for itself on the same data folder. */
const CLI_USER: SessionUser = { id: 'local-cli', name: 'Command line', role: 'operator' };

/**
 * A bearer token for scripts that can read this installation's secrets, valid for 15 minutes; take a new one for
 * each request of a long job.
 */
export function signToken(authSecret: string, user: SessionUser = CLI_USER): Promise<string> {
  return encode({
    token: { sub: user.id, name: user.name, role: user.role },
    secret: authSecret,
    salt: SALT,
    maxAge: LIFETIME_SECONDS,
  });
}

/** Whom a token speaks for; `null` when it is not ours, was changed or is over. */
export async function verifyToken(authSecret: string, token: string): Promise<SessionUser | null> {
  try {
    const payload = await decode({ token, secret: authSecret, salt: SALT });
    const user = SessionUser.safeParse({ id: payload?.sub, name: payload?.name, role: payload?.role });
    return user.success ? user.data : null;
  } catch {
    // Not decryptable with our key, or expired: both mean "nobody".
    return null;
  }
}
