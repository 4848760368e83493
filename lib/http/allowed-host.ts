import 'server-only';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a request was sent to us by a name that is ours: that of `TICKMARK_URL`, or a loopback name. Otherwise a
 * page elsewhere could point its own name at this machine and read the answers (DNS rebinding).
 * @param hostHeader as it came, with or without a port
 * @param url our public origin
 */
export function isAllowedHost(hostHeader: string | null, url: string): boolean {
  const name = hostName(hostHeader);
  return name !== null && (LOOPBACK_NAMES.has(name) || name === new URL(url).hostname);
}

function hostName(hostHeader: string | null): string | null {
  if (!hostHeader || !/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/.test(hostHeader)) return null;
  try {
    return new URL(`http://${hostHeader}`).hostname;
  } catch {
    return null;
  }
}
