import 'server-only';

/**
 * Whether a request that changes something and carries a session cookie comes from our own pages. Browsers say so
 * themselves: `Sec-Fetch-Site` where they know it, `Origin` with every POST and PATCH. A request with neither is not
 * a browser's and has no business with a cookie.
 * @param url our public origin, for a proxy that rewrites `Host`
 */
export function isSameSite(headers: Headers, url: string): boolean {
  const origin = headers.get('origin');
  if (origin !== null && !isOurOrigin(origin, headers.get('host'), url)) return false;
  const site = headers.get('sec-fetch-site');
  return site === null ? origin !== null : site === 'same-origin';
}

function isOurOrigin(origin: string, host: string | null, url: string): boolean {
  if (origin === url) return true;
  try {
    return host !== null && new URL(origin).host === host.toLowerCase();
  } catch {
    return false;
  }
}
