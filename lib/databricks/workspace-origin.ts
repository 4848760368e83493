import { isLoopback } from '@/lib/config/fields';

/**
 * Where a workspace answers, without a trailing slash. Databricks Apps give DATABRICKS_HOST with or without a scheme.
 * Throws `TypeError` for what is no address, and for plain http to any machine but this one: every call carries a token.
 */
export function workspaceOrigin(host: string): string {
  const text = host.trim();
  const address = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!address?.hostname) throw new TypeError(`not the address of a workspace: ${text.slice(0, 200)}`);
  const isLocal = isLoopback(address.hostname.replace(/^\[|\]$/g, ''));
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && isLocal)) {
    throw new TypeError(
      `a workspace is asked over https only, not ${address.protocol}//${address.host}: what we send holds a token`,
    );
  }
  return address.origin;
}
