import { isLoopback } from '@/lib/config/fields';
import type { Config } from '@/lib/config/schema';

/** What signing in depends on. */
export interface AuthSettings {
  /** Our public origin. */
  readonly url: string;
  readonly authSecret: string;
  readonly adminToken: string | undefined;
  readonly oidc: Config['oidc'];
  /** Whether the three local roles may simply be picked: this machine alone can connect, and nothing better is set. */
  readonly localRoles: boolean;
}

export function authSettings(config: Config, authSecret: string): AuthSettings {
  return {
    url: config.url,
    authSecret,
    adminToken: config.adminToken,
    oidc: config.oidc,
    localRoles: config.platform === 'embedded' && isLoopback(config.host) && !config.oidc,
  };
}

/** Browsers send a Secure cookie back over https only. */
export function usesSecureCookies(url: string): boolean {
  return url.startsWith('https://');
}

/** Name of next-auth's session cookie. */
export function sessionCookieName(url: string): string {
  return usesSecureCookies(url) ? '__Secure-next-auth.session-token' : 'next-auth.session-token';
}
