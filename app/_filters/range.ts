import { formatInstant } from '../_ui/format/instant';
import { startOfDay, startOfMonth } from './zone';

/** Ranges with a name; without any it is all time. */
export const RANGES = ['today', '24h', '7d', '30d', 'month'] as const;
export type RangeName = (typeof RANGES)[number];

export const RANGE_WORDS: Record<RangeName, string> = {
  today: 'Today',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  month: 'This month, from the 1st',
};

export interface RangeValues {
  readonly range: RangeName | null;
  /** Of a range of one's own, instants: who gets the link sees the same one, wherever they are. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface Range {
  /** Inclusive. */
  readonly from?: string;
  /** Exclusive; without it the range goes on to the present. */
  readonly to?: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAYS: Record<'24h' | '7d' | '30d', number> = { '24h': 1, '7d': 7, '30d': 30 };

/**
 * The instants that a range means now. Today and this month begin in the viewer's time zone; the last days are whole
 * times 24 hours, and begin on a minute, so that the same question is asked for a minute.
 */
export function resolveRange({ range, from, to }: RangeValues, timeZone: string, now: number): Range {
  if (from !== null || to !== null) return { ...(from !== null && { from }), ...(to !== null && { to }) };
  if (range === null) return {};
  return { from: new Date(startOf(range, timeZone, now)).toISOString() };
}

function startOf(range: RangeName, timeZone: string, now: number): number {
  if (range === 'today') return startOfDay(now, timeZone);
  if (range === 'month') return startOfMonth(now, timeZone);
  return Math.floor(now / MINUTE_MS) * MINUTE_MS - DAYS[range] * 24 * HOUR_MS;
}

/** The range in a few words: `Last 7 days`, `1 Nov, 00:00 – 8 Nov, 00:00`. */
export function describeRange({ range, from, to }: RangeValues, timeZone: string, now: number): string {
  const show = (at: string) => formatInstant(at, timeZone, new Date(now));
  if (from !== null && to !== null) return `${show(from)} – ${show(to)}`;
  if (from !== null) return `Since ${show(from)}`;
  if (to !== null) return `Before ${show(to)}`;
  return range === null ? 'All time' : RANGE_WORDS[range];
}
