import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactSum } from './exact-sum';

const amount = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 50 }))
  .map(([units, scale]) => new Big(String(units)).times(new Big(10).pow(-scale)).toFixed(scale));

test('invariant 7: a sum of decimal texts is exact to the last digit, whatever their digits are', () => {
  Big.DP = 60;
  fc.assert(
    fc.property(fc.array(amount), fc.array(amount), (added, removed) => {
      const [sum, less] = [new ExactSum(), new ExactSum()];
      for (const text of added) sum.add(text);
      for (const text of removed) less.add(text);
      const total = new ExactSum();
      total.addSum(sum);
      total.subtractSum(less);
      const expected = [...added, ...removed.map((text) => new Big(text).neg())].reduce<Big>(
        (all, one) => all.plus(one),
        new Big(0),
      );
      expect(new Big(total.toFixed()).eq(expected)).toBe(true);
      expect(total.toFixed()).toBe(expected.eq(0) ? '0' : expected.toFixed());
      expect(total.isZero).toBe(expected.eq(0));
    }),
  );
});
