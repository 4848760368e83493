import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costOf, sumOfCosts } from './call-cost';

const PRICES = [{ model: 'm', input: '10', cachedInput: '1', cacheWrite: '12.5', output: '30' }];
const tokens = (
  inputTokens: number,
  cachedInputTokens: number,
  cacheWriteTokens: number,
  outputTokens: number,
) => ({
  inputTokens,
  cachedInputTokens,
  cacheWriteTokens,
  outputTokens,
});

test('M17: a call costs what each class of its tokens costs, and no token is paid for twice', () => {
  expect(costOf('m', tokens(1_000, 400, 100, 20), PRICES)).toEqual({
    input: '0.00665',
    output: '0.0006',
    total: '0.00725',
  });
});

test('a model without a price is unpriced, and so is a sum that it is part of', () => {
  expect(costOf('other', tokens(1, 0, 0, 1), PRICES)).toBeNull();
  expect(sumOfCosts(['0.1', null])).toBeNull();
  expect(sumOfCosts([])).toBeNull();
  expect(sumOfCosts(['0.1', '0.2'])).toBe('0.3');
});

test('a cost survives being written as a JSON number, to the last digit', () => {
  const count = fc.integer({ min: 0, max: 2_000_000 });
  const price = fc.integer({ min: 0, max: 100_000_000 }).map((millionths) => (millionths / 1e6).toFixed(6));
  fc.assert(
    fc.property(count, count, price, price, (input, output, inputPrice, outputPrice) => {
      const prices = [
        { model: 'm', input: inputPrice, cachedInput: '0', cacheWrite: '0', output: outputPrice },
      ];
      const cost = costOf('m', tokens(input, 0, 0, output), prices)?.total ?? '';
      expect(sumOfCosts([String(JSON.parse(cost))])).toBe(cost);
    }),
  );
});
