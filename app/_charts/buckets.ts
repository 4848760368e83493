import { startOfDay, startOfMonth } from '../_filters/zone';

/** How long a bucket of time is. Hours are whole ones in UTC; days and months begin in a time zone. */
export type Bucket = 'hour' | 'day' | 'month';

/** No axis has room for more. */
const MAX_BUCKETS = 1_500;

/**
 * One entry for each bucket between the first and the last, so that time runs evenly along an axis; where nothing
 * happened, `empty` makes the entry.
 * @param points ascending
 */
export function everyBucket<T extends { readonly at: string }>(
  points: readonly T[],
  bucket: Bucket,
  timeZone: string,
  empty: (at: string) => T,
): T[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const known = new Map(points.map((point) => [Date.parse(point.at), point]));
  const all: T[] = [];
  const times = [...known.keys()];
  const end = Date.parse(last.at);
  for (let at = Date.parse(first.at); at <= end && all.length < MAX_BUCKETS; ) {
    all.push(known.get(at) ?? empty(new Date(at).toISOString()));
    // Where the server knows other rules of the zone than the browser, what it says is still shown.
    const next = after(at, bucket, timeZone);
    at = times.find((time) => time > at && time < next) ?? next;
  }
  return all;
}

const HOUR_MS = 3_600_000;

function after(at: number, bucket: Bucket, timeZone: string): number {
  if (bucket === 'hour') return at + HOUR_MS;
  // Days have 23 to 25 hours, months 28 to 31 days: so far on it is the next one for sure.
  if (bucket === 'day') return startOfDay(at + 30 * HOUR_MS, timeZone);
  return startOfMonth(at + 40 * 24 * HOUR_MS, timeZone);
}
