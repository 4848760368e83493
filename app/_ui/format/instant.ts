const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A date's parts in a time zone. Month names are our own: Node and browsers abbreviate September differently. */
function partsIn(timeZone: string, at: Date): Record<string, string> {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  return Object.fromEntries(parts.map((part) => [part.type, part.value]));
}

/** `30 Nov, 14:02`, with the year where it is not this one, with seconds when asked. */
export function formatInstant(
  iso: string,
  timeZone: string,
  now: Date,
  detail: 'minute' | 'second' = 'minute',
): string {
  const p = partsIn(timeZone, new Date(iso));
  const sameYear = partsIn(timeZone, now).year === p.year;
  const day = `${Number(p.day)} ${MONTHS[Number(p.month) - 1]}${sameYear ? '' : ` ${p.year}`}`;
  return `${day}, ${formatClock(iso, timeZone, detail)}`;
}

/** `14:02` or `14:02:31`. */
export function formatClock(iso: string, timeZone: string, detail: 'minute' | 'second'): string {
  const p = partsIn(timeZone, new Date(iso));
  return `${p.hour}:${p.minute}${detail === 'second' ? `:${p.second}` : ''}`;
}

/** The same instant in UTC, in full: `2026-11-30 14:02:31 UTC`. */
export function formatUtc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
