/** Year, month (1–12), day, hour and minute on a clock on the wall. */
export interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a time zone show at an instant (ms). */
export function wallClockAt(at: number, timeZone: string): WallClock {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric' },
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return { year, month, day, hour, minute };
}

/**
 * The instant (ms) at which the clocks of a time zone show this. Where they show it twice, the first time; where they
 * skip it, the first instant after the gap that is as far from what was before it.
 */
export function instantOf(wall: WallClock, timeZone: string): number {
  const asUtc = utcOf(wall);
  // Whatever changes, a day before and a day after have the offsets of both sides.
  const offsets = [-DAY_MS, DAY_MS].map((away) => offsetAt(asUtc + away, timeZone));
  const candidates = offsets.map((offset) => asUtc - offset).sort((a, b) => a - b);
  const shown = candidates.find((at) => utcOf(wallClockAt(at, timeZone)) === asUtc);
  return shown ?? asUtc - (offsets[0] ?? 0);
}

/** Midnight of the day that it is in a time zone at an instant (ms). */
export function startOfDay(at: number, timeZone: string): number {
  return instantOf({ ...wallClockAt(at, timeZone), hour: 0, minute: 0 }, timeZone);
}

/** The start of the month that it is in a time zone at an instant (ms). */
export function startOfMonth(at: number, timeZone: string): number {
  return instantOf({ ...wallClockAt(at, timeZone), day: 1, hour: 0, minute: 0 }, timeZone);
}

function utcOf({ year, month, day, hour, minute }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute);
}

function offsetAt(at: number, timeZone: string): number {
  return utcOf(wallClockAt(at, timeZone)) - Math.floor(at / 60_000) * 60_000;
}
