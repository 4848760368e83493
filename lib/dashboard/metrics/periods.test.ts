import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coverRange, floorTo, GRAINS, nextPeriod, type Span } from './periods';

const START = Date.UTC(2026, 0, 1);
const instant = fc.integer({ min: 0, max: 120 * 24 * 60 }).map((minutes) => START + minutes * 60_000);

test('the parts of a range are the whole range, once, and avoid what is out of date', () => {
  fc.assert(
    fc.property(
      instant,
      instant,
      fc.array(instant, { maxLength: 6 }),
      fc.constantFrom(...GRAINS),
      (a, b, touched, coarsest) => {
        const range = { lo: Math.min(a, b), hi: Math.max(a, b) };
        const starts = (grain: (typeof GRAINS)[number]) => [
          ...new Set(touched.map((ms) => floorTo(grain, ms))),
        ];
        const stale = { month: starts('month'), day: starts('day'), hour: starts('hour') };
        const cover = coverRange(range, coarsest, stale);
        const parts: Span[] = [
          ...cover.month,
          ...cover.day,
          ...cover.hour,
          ...cover.looseHours.map((lo) => ({ lo, hi: nextPeriod('hour', lo) })),
          ...cover.edges,
        ].sort((one, other) => one.lo - other.lo);
        let at = range.lo;
        for (const part of parts) {
          expect(part.lo).toBe(at);
          expect(part.hi).toBeGreaterThan(part.lo);
          at = part.hi;
        }
        if (range.lo < range.hi) expect(at).toBe(range.hi);
        for (const grain of GRAINS) {
          for (const span of cover[grain]) {
            expect(stale[grain].some((start) => start >= span.lo && start < span.hi)).toBe(false);
            expect([floorTo(grain, span.lo), floorTo(grain, span.hi)]).toEqual([span.lo, span.hi]);
          }
        }
        expect(GRAINS.slice(0, GRAINS.indexOf(coarsest)).every((grain) => cover[grain].length === 0)).toBe(
          true,
        );
        for (const { lo, hi } of cover.edges) {
          const firstWhole = floorTo('hour', lo) === lo ? lo : nextPeriod('hour', floorTo('hour', lo));
          expect(nextPeriod('hour', firstWhole)).toBeGreaterThan(hi);
        }
      },
    ),
  );
});

test('a range without ends is one span of months', () => {
  const cover = coverRange({ lo: -Infinity, hi: Infinity }, 'month', { month: [], day: [], hour: [] });
  expect(cover).toEqual({
    month: [{ lo: -Infinity, hi: Infinity }],
    day: [],
    hour: [],
    looseHours: [],
    edges: [],
  });
});
