import { createLoader } from 'nuqs/server';
import { describe, expect, test } from 'vitest';
import { filteredHref, filterParsers, filterQuery, isFiltered, NO_FILTERS } from './filters';
import { describeRange } from './range';

const NOW = Date.parse('2026-11-30T10:15:42.000Z');
const load = createLoader(filterParsers);
const own = { ...NO_FILTERS, from: '2026-11-01T00:00:00Z', to: '2026-11-08T00:00:00Z' };

describe('filters', () => {
  test('M21: survive the way through the address, whatever a client is called', () => {
    const values = {
      ...NO_FILTERS,
      range: '7d' as const,
      status: ['failed' as const, 'cancelled' as const],
      agent: ['invoice'],
      client: ['Smith, Jones & Sons?', 'Ærø=1'],
      extraction: ['0190a5b0-0000-7000-8000-000000000000'],
    };
    for (const each of [values, own]) {
      expect(load(new URL(filteredHref('/tasks', each), 'http://localhost').searchParams)).toEqual(each);
    }
  });

  test('no filter asks for nothing', () => {
    expect(filterQuery(NO_FILTERS, 'Europe/Berlin', NOW)).toEqual({});
    expect(isFiltered(NO_FILTERS)).toBe(false);
  });

  test('what makes no sense in an address is no filter', () => {
    const values = load(new URLSearchParams('range=ever&status=lost&from=yesterday&to=2026-13-77T00:00:00Z'));
    expect(filterQuery(values, 'UTC', NOW)).toEqual({});
  });

  test('M26, B35: the last days end now; today and this month begin in the viewer’s zone', () => {
    const from = (range: (typeof values)['range'], zone: string) =>
      filterQuery({ ...NO_FILTERS, range }, zone, NOW).from;
    const values = load(new URLSearchParams());
    expect(from('7d', 'Asia/Tokyo')).toBe('2026-11-23T10:15:00.000Z');
    expect(from('24h', 'UTC')).toBe('2026-11-29T10:15:00.000Z');
    expect(from('30d', 'UTC')).toBe('2026-10-31T10:15:00.000Z');
    expect(from('today', 'America/New_York')).toBe('2026-11-30T05:00:00.000Z');
    expect(from('month', 'Europe/Berlin')).toBe('2026-10-31T23:00:00.000Z');
  });

  test('a range of one’s own goes before one with a name, and is said in full', () => {
    expect(filterQuery({ ...own, range: '7d' }, 'UTC', NOW)).toEqual({ from: own.from, to: own.to });
    expect(describeRange(own, 'Europe/Berlin', NOW)).toBe('1 Nov, 01:00 – 8 Nov, 01:00');
    expect(describeRange({ ...own, to: null }, 'UTC', NOW)).toBe('Since 1 Nov, 00:00');
    expect(describeRange({ ...NO_FILTERS, range: '7d' }, 'UTC', NOW)).toBe('Last 7 days');
  });
});
