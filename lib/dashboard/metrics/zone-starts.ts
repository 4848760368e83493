import type { Grain, Span } from './periods';

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The instants at which days or months begin in a time zone (an IANA name), from the one that `within.lo` lies in to the last
 * before `within.hi`. A day whose midnight is skipped by a change of the clocks begins where the clocks go on; one whose midnight
 * comes twice begins with the one after which its date stays.
 */
export function startsInZone(grain: Exclude<Grain, 'hour'>, timeZone: string, within: Span): number[] {
  const first = localDate(within.lo, timeZone);
  const starts: number[] = [];
  for (let n = 0; ; n += 1) {
    const date =
      grain === 'day'
        ? Date.UTC(first.year, first.month, first.day + n)
        : Date.UTC(first.year, first.month + n, 1);
    const start = startOfDate(date, timeZone);
    if (n > 0 && start >= within.hi) return starts;
    // A zone that changed sides of the date line leaves a day out.
    if (start > (starts.at(-1) ?? Number.NEGATIVE_INFINITY)) starts.push(start);
  }
}

/** @param date the local date as if it were one in UTC */
function startOfDate(date: number, timeZone: string): number {
  const tries = [-DAY_MS, DAY_MS].map((away) => date - offsetAt(date + away, timeZone));
  const [early, late] = [Math.min(...tries), Math.max(...tries)];
  const isOf = (ms: number) => {
    const { year, month, day } = localDate(ms, timeZone);
    return Date.UTC(year, month, day) >= date;
  };
  return isOf(early) ? early : late;
}

/** How far local time is ahead of UTC, in milliseconds. */
function offsetAt(ms: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localDate(ms, timeZone);
  return Date.UTC(year, month, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

interface LocalDate {
  readonly year: number;
  /** From 0, as `Date` counts. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

function localDate(ms: number, timeZone: string): LocalDate {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return {
    ...{ year: of('year'), month: of('month') - 1, day: of('day') },
    ...{ hour: of('hour'), minute: of('minute'), second: of('second') },
  };
}
