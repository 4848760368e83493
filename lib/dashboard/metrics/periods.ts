/** A stretch of time in milliseconds since 1970, `lo` inclusive, `hi` exclusive; ±Infinity = without an end. */
export interface Span {
  readonly lo: number;
  readonly hi: number;
}

export const GRAINS = ['month', 'day', 'hour'] as const;
export type Grain = (typeof GRAINS)[number];

/** Starts of periods whose sums are out of date, by grain. */
export type Stale = Readonly<Record<Grain, readonly number[]>>;

/** From where the figures of a range are to be read; the parts do not overlap and are the whole range together. */
export interface Cover {
  readonly month: readonly Span[];
  readonly day: readonly Span[];
  readonly hour: readonly Span[];
  /** Starts of hours that are only right row by row of agent, client and status. */
  readonly looseHours: readonly number[];
  /** Parts of hours: from the tasks' facts. */
  readonly edges: readonly Span[];
}

/** The range that filters mean. */
export function spanOf({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): Span {
  return {
    lo: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
    hi: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The start of the period (UTC) that an instant lies in. */
export function floorTo(grain: Grain, ms: number): number {
  if (!Number.isFinite(ms)) return ms;
  if (grain === 'month') {
    const date = new Date(ms);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  }
  const size = grain === 'day' ? DAY_MS : HOUR_MS;
  return Math.floor(ms / size) * size;
}

/** The start of the period after the one that starts at `ms`. */
export function nextPeriod(grain: Grain, ms: number): number {
  if (grain === 'day') return ms + DAY_MS;
  if (grain === 'hour') return ms + HOUR_MS;
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

function ceilTo(grain: Grain, ms: number): number {
  const floor = floorTo(grain, ms);
  return floor === ms ? ms : nextPeriod(grain, floor);
}

/**
 * Splits a range into whole months, days and hours, as coarse as it can be, and what is left at its ends. Periods that
 * are out of date are split into finer ones.
 * @param coarsest nothing coarser is used, so that each part lies within one bucket of a chart
 */
export function coverRange(range: Span, coarsest: Grain, stale: Stale): Cover {
  const cover: Record<Grain, Span[]> = { month: [], day: [], hour: [] };
  const looseHours: number[] = [];
  let rest: Span[] = range.lo < range.hi ? [range] : [];
  for (const grain of GRAINS.slice(GRAINS.indexOf(coarsest))) {
    const left: Span[] = [];
    for (const span of rest) {
      const inner = { lo: ceilTo(grain, span.lo), hi: floorTo(grain, span.hi) };
      if (inner.lo >= inner.hi) {
        left.push(span);
        continue;
      }
      left.push({ lo: span.lo, hi: inner.lo }, { lo: inner.hi, hi: span.hi });
      const bad = stale[grain].filter((start) => start >= inner.lo && start < inner.hi);
      cover[grain].push(...without(inner, bad, grain));
      if (grain === 'hour') looseHours.push(...bad);
      else left.push(...bad.map((start) => ({ lo: start, hi: nextPeriod(grain, start) })));
    }
    rest = left.filter(({ lo, hi }) => lo < hi);
  }
  return { ...cover, looseHours, edges: rest };
}

/** A span of whole periods less some of them. */
function without(span: Span, starts: readonly number[], grain: Grain): Span[] {
  const parts: Span[] = [];
  let lo = span.lo;
  for (const start of [...starts].sort((a, b) => a - b)) {
    if (lo < start) parts.push({ lo, hi: start });
    lo = nextPeriod(grain, start);
  }
  if (lo < span.hi) parts.push({ lo, hi: span.hi });
  return parts;
}
