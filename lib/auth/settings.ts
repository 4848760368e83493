import { isLoopback } from '@/lib/config/fields';
import type { Config } from '@/lib/config/schema';
import type { FindVisitor } from './proxy-visitor';

/** What signing in depends on. */
export interface AuthSettings {
  /** Our public origin. */
  readonly url: string;
  readonly authSecret: string;
  readonly adminToken: string | undefined;
  readonly oidc: Config['oidc'];
  /** Whether the three local roles may simply be picked: this machine alone can connect, and nothing better is set. */
  readonly localRoles: boolean;
  /** Who came through the platform's proxy. Undefined wherever there is none: then its headers mean nothing. */
  readonly findVisitor?: FindVisitor;
}

/** @param findVisitor on Databricks Apps alone, where the port is reached through the proxy only */
export function authSettings(config: Config, authSecret: string, findVisitor?: FindVisitor): AuthSettings {
  return {
    url: config.url,
    authSecret,
    adminToken: config.adminToken,
    oidc: config.oidc,
    ...(config.platform === 'databricks' && findVisitor ? { findVisitor } : {}),
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
