import { expect, test } from 'vitest';
import { median, percentile, ratioByRound, spread } from './statistics';

test('the median of an even count lies between the two in the middle, whatever their order', () => {
  expect(median([4, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBeNaN();
});

test('a percentile is a value that occurred: the nearest rank', () => {
  const values = Array.from({ length: 100 }, (_, n) => 100 - n);
  expect(percentile(values, 0.5)).toBe(50);
  expect(percentile(values, 0.95)).toBe(95);
  expect(percentile(values, 1)).toBe(100);
  expect(percentile([7], 0.95)).toBe(7);
  expect(percentile([], 0.5)).toBeNaN();
});

test('a spread leaves out what was not measured', () => {
  expect(spread([3, Number.NaN, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  expect(spread([Number.NaN])).toBeNull();
});

test('ratios are taken inside a round, never between two', () => {
  const ours = new Map([
    [1, 10],
    [2, 40],
    [3, 90],
  ]);
  const theirs = new Map([
    [1, 10],
    [2, 20],
    [4, 1],
  ]);
  expect(ratioByRound(ours, theirs)).toEqual({ median: 1.5, min: 1, max: 2 });
  expect(ratioByRound(ours, new Map())).toBeNull();
});
