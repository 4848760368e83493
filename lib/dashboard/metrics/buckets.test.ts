import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketsOf, homeOf, movesOf } from './buckets';
import { floorTo, GRAINS, nextPeriod } from './periods';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** West and east, half hours, winters without an offset, clocks that change at midnight, a day that never was. */
const zone = fc.constantFrom(
  'Europe/London',
  'Europe/Lisbon',
  'Europe/Dublin',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Europe/Berlin',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Havana',
  'America/Santiago',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Auckland',
);

test('B35: what a UTC period holds is counted, after what is moved, in the days and months of the viewer', () => {
  fc.assert(
    fc.property(
      zone,
      fc.constantFrom('day' as const, 'month' as const),
      fc.constantFrom(...GRAINS),
      fc.integer({ min: 0, max: 366 * 12 }),
      (timeZone, grain, coarsest, day) => {
        const at = Date.UTC(2011, 0, 1) + day * DAY_MS;
        const lo = floorTo(coarsest, at);
        const span = { lo, hi: nextPeriod(coarsest, lo) };
        const buckets = bucketsOf(grain, timeZone, { lo: lo - 40 * DAY_MS, hi: span.hi + 40 * DAY_MS });
        const spans = { month: [], day: [], hour: [], [coarsest]: [span] };
        const moves = movesOf(spans, buckets);
        const home = homeOf(span, buckets);
        for (let ms = span.lo; ms < span.hi; ms += HOUR_MS / 4) {
          const move = moves.find((one) => ms >= one.span.lo && ms < one.span.hi);
          expect({ ms, bucket: move ? move.to : home }).toEqual({ ms, bucket: buckets.of(ms) });
          if (move) expect(move.from).toBe(home);
        }
      },
    ),
    { numRuns: 300 },
  );
});
