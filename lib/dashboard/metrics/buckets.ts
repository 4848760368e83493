import { type SQL, sql } from 'drizzle-orm';
import { type Cover, floorTo, GRAINS, type Grain, nextPeriod, type Span } from './periods';
import { startsInZone } from './zone-starts';

/** How a chart divides its range. */
export interface Buckets {
  readonly grain: Grain;
  readonly timeZone: string;
  /** Ascending starts from before the first task on; null: whole hours, days or months in UTC. */
  readonly starts: readonly number[] | null;
  /** The start of the bucket that an instant lies in. */
  of(ms: number): number;
}

/** A part of a period whose sums are counted in one bucket and which belongs to another. */
export interface Move {
  readonly span: Span;
  readonly from: number;
  readonly to: number;
}

/**
 * Hours, days or months; days and months as they begin in a time zone.
 * @param within what the buckets must cover, both ends finite
 */
export function bucketsOf(grain: Grain, timeZone: string, within: Span): Buckets {
  if (grain === 'hour' || timeZone === 'UTC') return inUtc(grain);
  const starts = startsInZone(grain, timeZone, within);
  return { grain, timeZone, starts, of: (ms) => starts[indexOf(starts, ms)] ?? ms };
}

/** Whole hours, days or months in UTC. */
export function inUtc(grain: Grain): Buckets {
  return { grain, timeZone: 'UTC', starts: null, of: (ms) => floorTo(grain, ms) };
}

/** The start of an instant's bucket in milliseconds, in SQL. */
export function bucketMs({ grain, starts }: Buckets, instant: SQL): SQL {
  if (!starts) {
    return sql`extract(epoch from date_trunc(${sql.raw(`'${grain}'`)}, ${instant} at time zone 'utc'))::float8 * 1000`;
  }
  const all = sql`${sql.param([...starts])}::float8[]`;
  return sql`(${all})[greatest(1, width_bucket(extract(epoch from ${instant})::float8 * 1000, ${all}))]`;
}

/** Spans cut where a bucket ends within them. */
export function cutAtBuckets(spans: readonly Span[], { starts }: Buckets): Span[] {
  if (!starts) return [...spans];
  return spans.flatMap((span) => segmentsOf(span, starts));
}

/**
 * What must be moved from bucket to bucket: whole periods count in the bucket that most of each lies in, and a day or a month in
 * UTC is not quite one elsewhere.
 */
export function movesOf(spans: Pick<Cover, Grain>, buckets: Buckets): Move[] {
  const { starts } = buckets;
  if (!starts) return [];
  return GRAINS.flatMap((grain) =>
    spans[grain].flatMap((span) =>
      startsWithin(starts, span).flatMap((start) => {
        const lo = floorTo(grain, start);
        const period = { lo, hi: nextPeriod(grain, lo) };
        const within = startsWithin(starts, period);
        // A period with several starts within is looked at once, at the first of them.
        if (within[0] !== start || within.at(-1) === lo) return [];
        const home = homeOf(period, buckets);
        return segmentsOf(period, starts)
          .map((part) => ({ span: part, from: home, to: buckets.of(part.lo) }))
          .filter(({ from, to }) => from !== to);
      }),
    ),
  );
}

/** The bucket that most of a period lies in, the earliest of several. */
export function homeOf(period: Span, buckets: Buckets): number {
  if (!buckets.starts) return buckets.of(period.lo);
  const [first, ...rest] = segmentsOf(period, buckets.starts);
  if (!first) return buckets.of(period.lo);
  const longest = rest.reduce((best, part) => (part.hi - part.lo > best.hi - best.lo ? part : best), first);
  return buckets.of(longest.lo);
}

function segmentsOf({ lo, hi }: Span, starts: readonly number[]): Span[] {
  const cuts = [lo, ...startsWithin(starts, { lo, hi }).filter((start) => start > lo), hi];
  return cuts.slice(1).map((end, n) => ({ lo: cuts[n] ?? lo, hi: end }));
}

/** Starts from `lo` on, before `hi`. */
function startsWithin(starts: readonly number[], { lo, hi }: Span): number[] {
  const first = indexOf(starts, lo);
  const from = (starts[first] ?? Number.NEGATIVE_INFINITY) < lo ? first + 1 : Math.max(0, first);
  const found: number[] = [];
  for (let n = from; n < starts.length; n += 1) {
    const start = starts[n] ?? hi;
    if (start >= hi) break;
    found.push(start);
  }
  return found;
}

/** Of the last start that is not after `ms`; the first one for what lies before all. */
function indexOf(starts: readonly number[], ms: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}
