import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instantOf, startOfDay, startOfMonth, wallClockAt } from './zone';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
];
const iso = (at: number) => new Date(at).toISOString();
const from = (text: string) => Date.parse(text);

describe('the viewer’s time zone', () => {
  test('B35: a day begins at its own midnight, also west of UTC in the evening and in zones of half an hour', () => {
    expect(iso(startOfDay(from('2026-11-30T03:30:00Z'), 'America/Los_Angeles'))).toBe(
      '2026-11-29T08:00:00.000Z',
    );
    expect(iso(startOfDay(from('2026-11-30T19:00:00Z'), 'Asia/Kolkata'))).toBe('2026-11-30T18:30:00.000Z');
    expect(iso(startOfDay(from('2026-11-30T18:00:00Z'), 'Asia/Kathmandu'))).toBe('2026-11-29T18:15:00.000Z');
  });

  test('B35: days of 23 and 25 hours begin and end where they do', () => {
    const length = (day: string, zone: string) => {
      const start = startOfDay(from(`${day}T12:00:00Z`), zone);
      return (startOfDay(start + 30 * 3_600_000, zone) - start) / 3_600_000;
    };
    expect(length('2026-03-29', 'Europe/Berlin')).toBe(23);
    expect(length('2026-10-25', 'Europe/Berlin')).toBe(25);
    expect(length('2026-10-04', 'Australia/Lord_Howe')).toBe(23.5);
  });

  test('a month begins in the zone, not in UTC', () => {
    expect(iso(startOfMonth(from('2026-11-30T23:30:00Z'), 'Europe/Berlin'))).toBe('2026-11-30T23:00:00.000Z');
    expect(iso(startOfMonth(from('2026-12-01T03:00:00Z'), 'America/Los_Angeles'))).toBe(
      '2026-11-01T07:00:00.000Z',
    );
  });

  test('what the clocks skip is the time after the gap; what they show twice, the first time', () => {
    const wall = (day: number, month: number, hour: number) => ({ year: 2026, month, day, hour, minute: 30 });
    expect(iso(instantOf(wall(29, 3, 2), 'Europe/Berlin'))).toBe('2026-03-29T01:30:00.000Z');
    expect(iso(instantOf(wall(25, 10, 2), 'Europe/Berlin'))).toBe('2026-10-25T00:30:00.000Z');
  });

  test('to the wall and back is the same, or the same wall', () => {
    const instants = fc.integer({ min: from('1990-01-01T00:00:00Z'), max: from('2040-01-01T00:00:00Z') });
    fc.assert(
      fc.property(instants, fc.constantFrom(...ZONES), (instant, zone) => {
        const at = Math.floor(instant / 60_000) * 60_000;
        const wall = wallClockAt(at, zone);
        const back = instantOf(wall, zone);
        expect(back <= at).toBe(true);
        expect(wallClockAt(back, zone)).toEqual(wall);
        const day = startOfDay(at, zone);
        expect(day <= at && at - day < 26 * 3_600_000).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
