export const TIME_ZONE_COOKIE = 'tz';

/** A time zone that this runtime knows, or null: the cookie comes from outside. */
export function parseTimeZone(value: string | undefined): string | null {
  if (!value) return null;
  try {
    const zone = decodeURIComponent(value);
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
