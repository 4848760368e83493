import { expect, test } from 'vitest';
import { printedForms } from './printed-forms';

test('an amount may be printed with the separators of several countries', () => {
  const forms = printedForms('1234567.50');
  for (const form of ['1.234.567,50', '1,234,567.50', "1'234'567.50", '1234567,50', '1234567.50']) {
    expect(forms).toContain(form);
  }
  expect(printedForms('1000.00')).toContain('1,000');
});

test('a negative amount may stand in brackets or without its sign', () => {
  expect(printedForms('-87.00')).toEqual(expect.arrayContaining(['-87,00', '(87.00)', '87.00']));
});

test('a date may be printed in figures', () => {
  expect(printedForms('2018-10-05')).toEqual(expect.arrayContaining(['05.10.2018', '10/5/18', '05/10/2018']));
});

test('other text is printed as it is, other values not at all', () => {
  expect(printedForms('Kunden AG')).toEqual(['Kunden AG']);
  expect(printedForms(12)).toEqual([]);
  expect(printedForms(null)).toEqual([]);
});
