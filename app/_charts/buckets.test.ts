import { expect, test } from 'vitest';
import { everyBucket } from './buckets';

const points = (...at: string[]) => at.map((one) => ({ at: `${one}.000Z`, count: 1 }));
const fill = (list: ReturnType<typeof points>, bucket: 'hour' | 'day' | 'month') =>
  everyBucket(list, bucket, (at) => ({ at, count: 0 })).map(({ at, count }) => `${at.slice(0, 13)} ${count}`);

test('buckets in which nothing happened are there, empty', () => {
  expect(fill(points('2026-11-29T22:00:00', '2026-11-30T01:00:00'), 'hour')).toEqual([
    '2026-11-29T22 1',
    '2026-11-29T23 0',
    '2026-11-30T00 0',
    '2026-11-30T01 1',
  ]);
  expect(fill(points('2026-02-27T00:00:00', '2026-03-01T00:00:00'), 'day')).toEqual([
    '2026-02-27T00 1',
    '2026-02-28T00 0',
    '2026-03-01T00 1',
  ]);
  expect(fill(points('2025-11-01T00:00:00', '2026-02-01T00:00:00'), 'month')).toEqual([
    '2025-11-01T00 1',
    '2025-12-01T00 0',
    '2026-01-01T00 0',
    '2026-02-01T00 1',
  ]);
});

test('no points are no buckets, and too many are not made', () => {
  expect(fill([], 'day')).toEqual([]);
  expect(fill(points('2000-01-01T00:00:00', '2026-01-01T00:00:00'), 'hour').length).toBe(1_500);
});
