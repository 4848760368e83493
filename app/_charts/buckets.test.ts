import { expect, test } from 'vitest';
import { everyBucket } from './buckets';

const points = (...at: string[]) => at.map((one) => ({ at: `${one}.000Z`, count: 1 }));
const fill = (list: ReturnType<typeof points>, bucket: 'hour' | 'day' | 'month', timeZone = 'UTC') =>
  everyBucket(list, bucket, timeZone, (at) => ({ at, count: 0 })).map(
    ({ at, count }) => `${at.slice(0, 13)} ${count}`,
  );

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

test('days and months are those of a time zone, also where its clocks change', () => {
  expect(fill(points('2026-03-28T23:00:00', '2026-03-30T22:00:00'), 'day', 'Europe/Berlin')).toEqual([
    '2026-03-28T23 1',
    '2026-03-29T22 0',
    '2026-03-30T22 1',
  ]);
  expect(fill(points('2026-09-05T04:00:00', '2026-09-07T03:00:00'), 'day', 'America/Santiago')).toEqual([
    '2026-09-05T04 1',
    '2026-09-06T04 0',
    '2026-09-07T03 1',
  ]);
  expect(fill(points('2026-01-31T18:30:00', '2026-03-31T18:30:00'), 'month', 'Asia/Kolkata')).toEqual([
    '2026-01-31T18 1',
    '2026-02-28T18 0',
    '2026-03-31T18 1',
  ]);
});

test('no points are no buckets, and too many are not made', () => {
  expect(fill([], 'day')).toEqual([]);
  expect(fill(points('2000-01-01T00:00:00', '2026-01-01T00:00:00'), 'hour').length).toBe(1_500);
});
