import { expect, test } from 'vitest';
import { type CountedAttempt, limitUse } from './limit-use';

const attempt = (claimedAt: number, endedAt: number | null, rate = 0, usedTokens = 0): CountedAttempt => ({
  ...{ claimedAt, startedAt: claimedAt, endedAt, reservedRate: rate, usedTokens },
});
const none = { tasks: null, tokensPerMinute: null };

test('what ends makes room at the very instant at which something is admitted', () => {
  const attempts = [attempt(0, 1000), attempt(0, 2000), attempt(1000, 3000)];
  expect(limitUse(attempts, { tasks: 2, tokensPerMinute: null }, { from: 0, to: 3000 })).toMatchObject({
    peakTasks: 2,
    averageTasks: 5 / 3,
    averageShare: 5 / 6,
  });
});

test('one too many is seen however short it was', () => {
  const attempts = [attempt(0, 1000), attempt(0, 1000), attempt(999, 2000)];
  expect(limitUse(attempts, none, { from: 0, to: 3000 }).peakTasks).toBe(3);
});

test('all that one claim admits counts together, and only then', () => {
  expect(
    limitUse(
      [1, 2, 3].map(() => attempt(5, null)),
      none,
      { from: 0, to: 10 },
    ),
  ).toMatchObject({
    peakTasks: 3,
    averageTasks: 1.5,
  });
});

test('tokens are reserved while a task is in flight and count for a minute after it, as many as were used', () => {
  const attempts = [attempt(0, 10_000, 100, 40), attempt(69_999, null, 100), attempt(70_000, null, 7)];
  const use = limitUse(attempts, none, { from: 0, to: 70_000 });
  expect(use.peakRate).toBe(140);
  expect(use.averageRate).toBeCloseTo((10 * 100 + 60 * 40 + 0.001 * 100) / 70, 6);
});

test('the use of a run longer than a minute is spread over it', () => {
  const attempts = [attempt(0, 120_000, 50, 100), attempt(120_001, null, 1)];
  expect(limitUse(attempts, none, { from: 120_000, to: 121_000 }).peakRate).toBe(51);
});

test('of two limits the one that is used more counts at each instant', () => {
  const attempts = [attempt(0, 1000, 10, 90), attempt(0, 1000, 10, 0)];
  const limits = { tasks: 2, tokensPerMinute: 100 };
  // Two of two for a second, then 90 of 100.
  expect(limitUse(attempts, limits, { from: 0, to: 2000 }).averageShare).toBeCloseTo(0.95, 6);
});

test('what was admitted before the span counts in it, but is no peak of its own', () => {
  expect(limitUse([attempt(0, null)], none, { from: 100, to: 200 })).toMatchObject({
    peakTasks: 0,
    averageTasks: 1,
  });
});
