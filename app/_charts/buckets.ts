/** How long a bucket of time is; all begin at a whole one in UTC. */
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
  empty: (at: string) => T,
): T[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const known = new Map(points.map((point) => [Date.parse(point.at), point]));
  const all: T[] = [];
  const end = Date.parse(last.at);
  for (let at = Date.parse(first.at); at <= end && all.length < MAX_BUCKETS; at = after(at, bucket)) {
    all.push(known.get(at) ?? empty(new Date(at).toISOString()));
  }
  return all;
}

function after(at: number, bucket: Bucket): number {
  if (bucket === 'hour') return at + 3_600_000;
  if (bucket === 'day') return at + 86_400_000;
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
