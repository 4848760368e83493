import { describe, expect, it } from 'vitest';
import { compare } from './compare';
import { scoreFields } from './score';

describe('compare', () => {
  it('compares amounts as numbers, names without case and spaces, lists without order', () => {
    expect(compare('net_total', '1436', '1436.00')).toBe('right');
    expect(compare('seller', 'LIEFERANT  GmbH', 'Lieferant GmbH')).toBe('right');
    expect(compare('parties', ['B Inc.', 'A Ltd'], ['A Ltd', 'B Inc.'])).toBe('right');
    expect(compare('line_count', 5, 5)).toBe('right');
  });

  it('tells wrong, missing and invented apart', () => {
    expect(compare('seller', 'Other Ltd', 'A Ltd')).toBe('wrong');
    expect(compare('seller', null, 'A Ltd')).toBe('missing');
    expect(compare('seller', 'A Ltd', null)).toBe('invented');
    expect(compare('seller', null, null)).toBe('right');
    expect(compare('net_total', 'ten', '10')).toBe('wrong');
  });

  it('honours other answers that are right too', () => {
    expect(compare('line_count', 6, 5, [6])).toBe('right');
    expect(compare('amount_due', '0', null, ['0.00', '717.97'])).toBe('right');
  });
});

describe('scoreFields', () => {
  it('counts per field and over all', () => {
    const one = { document: 'a', got: null, wanted: null };
    const scores = scoreFields([
      { ...one, field: 'seller', verdict: 'right' },
      { ...one, field: 'seller', verdict: 'missing' },
      { ...one, field: 'buyer', verdict: 'invented' },
    ]);
    expect(scores.map(({ field, right, total }) => [field, right, total])).toEqual([
      ['seller', 1, 2],
      ['buyer', 0, 1],
      ['total', 1, 3],
    ]);
  });
});
