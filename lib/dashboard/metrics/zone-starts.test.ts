import { describe, expect, it } from 'vitest';
import { startsInZone } from './zone-starts';

const days = (zone: string, from: string, to: string) =>
  startsInZone('day', zone, { lo: Date.parse(from), hi: Date.parse(to) }).map((ms) =>
    new Date(ms).toISOString().slice(0, 16),
  );

describe('days and months as they begin in a time zone', () => {
  it('begin at local midnight, from the one that the range begins in', () => {
    expect(days('Asia/Kathmandu', '2026-03-01T12:00Z', '2026-03-03T00:00Z')).toEqual([
      '2026-02-28T18:15',
      '2026-03-01T18:15',
      '2026-03-02T18:15',
    ]);
    expect(
      startsInZone('month', 'America/New_York', {
        lo: Date.parse('2026-03-01T04:00Z'),
        hi: Date.parse('2026-04-02T00:00Z'),
      }).map((ms) => new Date(ms).toISOString()),
    ).toEqual(['2026-02-01T05:00:00.000Z', '2026-03-01T05:00:00.000Z', '2026-04-01T04:00:00.000Z']);
  });

  it('are 23 and 25 hours long where the clocks change', () => {
    expect(days('Europe/Berlin', '2026-03-28T23:00Z', '2026-03-30T22:01Z')).toEqual([
      '2026-03-28T23:00',
      '2026-03-29T22:00',
      '2026-03-30T22:00',
    ]);
    expect(days('Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T23:01Z')).toEqual([
      '2026-10-24T22:00',
      '2026-10-25T23:00',
    ]);
  });

  it('begin where the clocks go on when midnight is skipped, and once when it comes twice', () => {
    // In Chile the clocks change at midnight.
    expect(days('America/Santiago', '2026-09-05T12:00Z', '2026-09-07T12:00Z')).toEqual([
      '2026-09-05T04:00',
      '2026-09-06T04:00',
      '2026-09-07T03:00',
    ]);
    expect(days('America/Santiago', '2026-04-04T12:00Z', '2026-04-05T12:00Z')).toEqual([
      '2026-04-04T03:00',
      '2026-04-05T04:00',
    ]);
  });

  it('are one fewer where a zone changed sides of the date line', () => {
    const samoa = days('Pacific/Apia', '2011-12-29T12:00Z', '2011-12-31T12:00Z');
    expect(samoa).toEqual(['2011-12-29T10:00', '2011-12-30T10:00', '2011-12-31T10:00']);
  });
});
