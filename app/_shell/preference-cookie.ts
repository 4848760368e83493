const YEAR_SECONDS = 31_536_000;

/** Keeps a choice of look where the server can read it at the next page load. Never anything secret. */
export function keepPreference(name: string, value: string) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, which a machine of one's own lacks
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
