import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount, formatPercent, formatShort } from './count';
import { formatRange, formatSeconds } from './duration';
import { formatInstant, formatUtc } from './instant';
import { exactUsd, formatUsd } from './money';

describe('money', () => {
  it.each([
    ['0', '$0.00'],
    ['1234567.891', '$1,234,567.89'],
    ['-12.5', '−$12.50'],
    ['0.05', '$0.0500'],
    ['0.04129', '$0.0413'],
    ['0.001230400000', '$0.00123'],
    ['0.0086', '$0.00860'],
    ['0.00952', '$0.00952'],
    ['0.000000012', '$0.0000000120'],
  ])('shows %s as %s', (amount, shown) => {
    expect(formatUsd(amount)).toBe(shown);
  });
  it('keeps every digit on hover', () => {
    expect(exactUsd('0.001230400000')).toBe('0.0012304 USD');
  });
});

describe('numbers', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [12_345, '12.3\u202fk'],
    [999_950, '1.00\u202fM'],
    [4_560_000, '4.56\u202fM'],
  ])('shortens %i to %s', (value, shown) => {
    expect(formatShort(value)).toBe(shown);
  });
  it('groups, sizes and percents', () => {
    expect(formatCount(1_234_567)).toBe('1,234,567');
    expect(formatBytes(48_213)).toBe('48.2 kB');
    expect(formatPercent(0.974)).toBe('97\u202f%');
  });
});

describe('durations', () => {
  it.each([
    [0.24, '240 ms'],
    [4.2, '4.2 s'],
    [59.97, '1 min'],
    [190, '3 min 10 s'],
    [7500, '2 h 5 min'],
    [273_600, '3 d 4 h'],
  ])('shows %f s as %s', (seconds, shown) => {
    expect(formatSeconds(seconds)).toBe(shown);
  });
  it('shows a range with one unit where it can', () => {
    expect(formatRange(120, 300)).toBe('2–5 min');
    expect(formatRange(40, 300)).toBe('40 s – 5 min');
    expect(formatRange(10, 10)).toBe('about 10 s');
  });
});

describe('instants', () => {
  const now = new Date('2026-11-30T12:00:00Z');
  it('shows local time and leaves out this year', () => {
    expect(formatInstant('2026-09-05T12:02:31Z', 'Europe/Berlin', now)).toBe('5 Sep, 14:02');
    expect(formatInstant('2025-01-05T12:02:31Z', 'UTC', now, 'second')).toBe('5 Jan 2025, 12:02:31');
  });
  it('shows UTC in full', () => {
    expect(formatUtc('2026-09-05T12:02:31.123Z')).toBe('2026-09-05 12:02:31 UTC');
  });
});
