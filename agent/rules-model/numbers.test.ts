import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printNumber } from './made/format';
import { decimalSignOf, decimalText, findNumbers, isMoney, readDigits } from './numbers';

const valuesOf = (text: string, sign: 'comma' | 'point' | 'unknown' = 'unknown') =>
  findNumbers(text, sign).map((token) => decimalText(token));

describe('findNumbers', () => {
  it.each([
    ['1.234,56', '1234.56'],
    ['1 234,56', '1234.56'],
    ['1\u00a0234,56', '1234.56'],
    ['1\u202f234,56', '1234.56'],
    ['1,234.56', '1234.56'],
    ["1'234.56", '1234.56'],
    ['1’234.56', '1234.56'],
    ['12.345.678,90', '12345678.90'],
    ['1,23,456.00', '123456.00'],
    ['45000.00', '45000.00'],
    ['0,025', '0.025'],
    ['-9,32', '-9.32'],
    ['\u221212.50', '-12.50'],
    ['50,00-', '-50.00'],
    ['(97.00)', '-97.00'],
    ['€ -9,32', '-9.32'],
    ['-€9.32', '-9.32'],
    ['€399,00', '399.00'],
    ['EUR 1.000,00', '1000.00'],
    ['160.00 €', '160.00'],
    ['RM12.50', '12.50'],
  ])('reads %s as %s', (text, expected) => {
    expect(valuesOf(text)).toEqual([expected]);
  });

  it('takes the sign of the document where a group of three leaves it open', () => {
    expect(valuesOf('8.550', 'comma')).toEqual(['8550']);
    expect(valuesOf('8.550', 'point')).toEqual(['8.550']);
    expect(valuesOf('1,000', 'comma')).toEqual(['1.000']);
    expect(valuesOf('1,000', 'point')).toEqual(['1000']);
  });

  it('leaves dates, times, numbers of things and versions alone', () => {
    for (const text of [
      '05.03.2013',
      '13/11/2017',
      '2018-471331',
      '201/113/40209',
      '10:52',
      'KR3M',
      '1.2.3.4',
    ]) {
      expect(valuesOf(text).filter((value) => value.length > 2)).toEqual([]);
    }
  });

  it('knows percentages, units and currencies apart', () => {
    const [rate, kilos, price] = findNumbers('19 %  250g  12,50 EUR', 'comma');
    expect([rate?.isPercent, kilos?.unit, price?.currency]).toEqual([true, 'g', 'EUR']);
    expect([rate, kilos, price].map((token) => token && isMoney(token))).toEqual([false, false, true]);
  });

  it('reads back what any of the five languages prints', () => {
    const style = fc.constantFrom([',', '.'], ['.', ','], [',', ' '], [',', '\u202f'], ['.', "'"]);
    fc.assert(
      fc.property(
        fc.integer({ min: -99_999_999_99, max: 99_999_999_99 }),
        style,
        (cents, [decimal, thousands]) => {
          const value = new Big(cents).div(100);
          const text = printNumber(value, decimal ?? ',', thousands ?? '.');
          const [token] = findNumbers(`Total: ${text} EUR`, decimal === ',' ? 'comma' : 'point');
          expect(token?.value.toFixed(2)).toBe(value.toFixed(2));
        },
      ),
    );
  });

  it('takes any text without failing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void findNumbers(text, 'unknown')));
  });
});

describe('readDigits', () => {
  it('refuses runs that are no number', () => {
    expect(readDigits('1.2.2024', 'unknown')).toBeNull();
    expect(readDigits('1234567890123456789012345678', 'unknown')).toBeNull();
  });
});

describe('decimalSignOf', () => {
  it('goes with the numbers that have two decimals', () => {
    expect(decimalSignOf(['1.234,50', '3.000', '12,10'])).toBe('comma');
    expect(decimalSignOf(['1,234.50', '05.03.2013'])).toBe('point');
    expect(decimalSignOf(['1.234', 'no numbers'])).toBe('unknown');
  });
});
