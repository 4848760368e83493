import { expect, test } from 'vitest';
import type { LayoutLine } from './layout';
import { LineIndex, locate, locateLine } from './locate';

/** Lines whose words are 10 points apart, line n at y = 20 n. */
function indexOf(...texts: string[]): LineIndex {
  const lines = texts.map((text, row): LayoutLine => {
    const words = text.split(/\s+/).map((part, column) => ({
      word: { text: part, x0: column * 100, x1: column * 100 + 90, y0: row * 20, y1: row * 20 + 10 },
      start: 0,
      end: 0,
    }));
    return { id: `1:${row + 1}`, page: 1, text, words, gapAbove: false };
  });
  return new LineIndex(lines);
}

const index = indexOf(
  'Lieferant GmbH Rechnung Nr. 471102',
  'Summe 1.100,00 EUR',
  'Anzahlung 100,00 EUR',
  'Zahlbar bis 04.04.2013 netto',
  'Skonto 3',
);

test('a quote is found in the line that the model named', () => {
  expect(locate(index, { value: '471102', line: '1:1', quote: 'Nr. 471102' })).toEqual({
    page: 1,
    box: [400, 0, 490, 10],
    exact: true,
  });
});

test('a quote is found when the line id is off, spaces differ, or it is missing', () => {
  expect(locate(index, { value: null, line: '1:2', quote: 'Lieferant  GmbH' })?.box).toEqual([0, 0, 190, 10]);
  expect(locate(index, { value: '2013-04-04', line: null, quote: '04.04.2013' })?.box).toEqual([
    200, 60, 290, 70,
  ]);
});

test('of a long quote only the words that show the value are marked', () => {
  const answer = { value: '2013-04-04', line: '1:4', quote: 'Zahlbar bis 04.04.2013 netto' };
  expect(locate(index, answer)?.box).toEqual([200, 60, 290, 70]);
  expect(locate(index, { ...answer, value: 'net' })?.box).toEqual([300, 60, 390, 70]);
  expect(locate(index, { ...answer, value: 'something else' })?.box).toEqual([0, 60, 390, 70]);
});

test('an amount without a quote is found as it is printed, not as a part of another', () => {
  expect(locate(index, { value: '100.00', line: null, quote: null })?.box).toEqual([100, 40, 190, 50]);
  expect(locate(index, { value: '1100.00', line: null, quote: null })?.box).toEqual([100, 20, 190, 30]);
});

test('a value that stands nowhere has no place; with a line there is at least the line', () => {
  expect(locate(index, { value: '999.99', line: null, quote: null })).toBeNull();
  expect(locate(index, { value: '3', line: null, quote: null })).toBeNull();
  expect(locate(index, { value: 'USD', line: '1:2| Summe', quote: null })).toMatchObject({
    exact: false,
    page: 1,
  });
});

test('text that wraps is found over two lines', () => {
  const wrapped = indexOf('United States Office of', 'Personnel Management');
  const found = locate(wrapped, { value: null, line: '1:1', quote: 'Office of Personnel Management' });
  expect(found?.box).toEqual([0, 0, 390, 30]);
});

test('an element of a list is the whole of its line', () => {
  expect(locateLine(index, '1:3')).toEqual({ page: 1, box: [0, 40, 290, 50], exact: true });
  expect(locateLine(index, '9:9')).toBeNull();
  expect(locateLine(index, 'nonsense')).toBeNull();
});
