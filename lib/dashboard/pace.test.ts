import { expect, test } from 'vitest';
import { Pace } from './pace';

let now = 0;
const paceOf = () => new Pace(() => now);

test('a few cheap questions are asked again once a second, however often they were asked', () => {
  const pace = paceOf();
  for (let n = 0; n < 100; n += 1) pace.note(`question ${n % 5}`, 10);
  expect(pace.pauseMs).toBe(1_000);
});

test('the more is asked and the longer it takes, the longer pages wait, but never more than five seconds', () => {
  const pace = paceOf();
  for (let n = 0; n < 30; n += 1) pace.note(`question ${n}`, 10);
  expect(pace.pauseMs).toBe(3_000);
  for (let round = 0; round < 40; round += 1) for (let n = 0; n < 30; n += 1) pace.note(`question ${n}`, 12);
  expect(pace.pauseMs).toBeCloseTo(3_600, -2);
  for (let n = 0; n < 500; n += 1) pace.note(`another ${n}`, 50);
  expect(pace.pauseMs).toBe(5_000);
});

test('who no longer asks no longer counts, and one slow answer changes little', () => {
  const pace = paceOf();
  for (let n = 0; n < 50; n += 1) pace.note(`question ${n}`, 20);
  expect(pace.pauseMs).toBe(5_000);
  now += 20_000;
  pace.note('question 0', 2_000);
  expect(pace.pauseMs).toBe(1_000);
});
