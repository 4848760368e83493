import { describe, expect, it } from 'vitest';
import { Result } from './result';
import { checkResult, foundNothing } from './result-checks';

function invoice(values: Record<string, unknown>) {
  const fields = Object.entries(values).map(([name, value]) => ({ name, value }));
  return checkResult(Result.parse({ documentType: 'invoice', fields }));
}

const outcomes = (values: Record<string, unknown>) =>
  Object.fromEntries(invoice(values).map((check) => [check.label, check.outcome]));

const SOUND = {
  net_total: '1233.00',
  tax_total: '246.60',
  grand_total: '1479.60',
  issue_date: '2026-01-19',
  due_date: '2026-02-18',
  line_items: [
    { quantity: '8', unit_price: '74.00', amount: '592.00' },
    { quantity: '16', unit_price: '38.25', amount: '612.00' },
    { quantity: '2', unit_price: '14.50', amount: '29.00' },
  ],
};

describe('checks on an invoice', () => {
  it('hold when the figures agree', () => {
    expect(outcomes(SOUND)).toEqual({
      'Net + tax = total': 'holds',
      'Lines add up': 'holds',
      'Quantity × price = amount': 'holds',
      'Due on or after the date of issue': 'holds',
    });
  });
  it('fail on a wrong figure and show both sums', () => {
    const [total] = invoice({ ...SOUND, tax_total: '264.60' });
    expect(total).toEqual({
      label: 'Net + tax = total',
      outcome: 'fails',
      detail: '1,233.00 + 264.60 = 1,497.60, not 1,479.60',
    });
  });
  it('say unknown, not wrong, where a figure is missing', () => {
    expect(outcomes({ ...SOUND, net_total: null, line_items: null })).toMatchObject({
      'Net + tax = total': 'unknown',
      'Lines add up': 'unknown',
    });
  });
  it('survive what no agent should send', () => {
    expect(() => invoice({ net_total: 'NaN', line_items: [null, 7, { amount: {} }] })).not.toThrow();
  });
});

describe('a result', () => {
  const found = (...values: unknown[]) =>
    foundNothing(Result.parse({ fields: values.map((value, n) => ({ name: `f${n}`, value })) }));
  it('has found nothing when every value is null or an empty list', () => {
    expect(found()).toBe(true);
    expect(found(null, [])).toBe(true);
    expect(found(null, '0')).toBe(false);
    expect(found([{ amount: null }])).toBe(false);
  });
});
