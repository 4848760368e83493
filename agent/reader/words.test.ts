import { expect, test } from 'vitest';
import { isGarbled } from './garbled';
import { visibleText, wordsOfRun } from './words';

const UPRIGHT = [1, 0, 0, -1, 0, 842];
const run = (str: string) => ({
  str,
  transform: [10, 0, 0, 10, 100, 742],
  width: 100,
  ascent: 0.8,
  descent: -0.2,
});

test('a run is cut into words that share its width', () => {
  const words = wordsOfRun(run('Net total'), UPRIGHT);
  expect(words.map((word) => word.text)).toEqual(['Net', 'total']);
  expect(words[0]).toMatchObject({ x0: 100, y0: 92, y1: 102, angle: 0 });
  expect(words[1]?.x1).toBeCloseTo(200);
});

test('zero-width characters, soft hyphens and odd spaces do not get into values', () => {
  expect(visibleText('INV\u200B\u00AD-\uFEFF7')).toBe('INV-7');
  expect(visibleText('1\u202F234,56\u00A0€')).toBe('1 234,56 €');
  expect(visibleText('\uFB01nal')).toBe('final');
});

test('text that runs upwards knows its direction', () => {
  const [word] = wordsOfRun({ ...run('Up'), transform: [0, 10, -10, 0, 100, 742] }, UPRIGHT);
  expect(word?.angle).toBe(270);
});

const asWords = (text: string) => text.split(' ').map((part) => ({ text: part, x0: 0, y0: 0, x1: 1, y1: 1 }));

test.each([
  ['Rechnung über zwölf Stück Bürobedarf zu 12,50 EUR, zahlbar bis 31.12.2024', false],
  ['Pos Art.Nr. TB100A4 GTIN 4012345001235 Stk. 9,90 19% KR3M SFK5 GTRWA5 PFA5 BLZ BIC GENODEF1M04', false],
  ['', false],
  [
    '\uE012\uE013\uE014\uE020 \uE033\uE012\uE044\uE055\uE061 \uE012\uE013\uE014\uE020 \uE012\uE013\uE014\uE020\uE011',
    true,
  ],
  [Array.from({ length: 12 }, () => '5HFKQXQJ EHU GLH /LHIHUXQJ YRQ').join(' '), true],
])('garbled text is told from text: %s', (text, garbled) => {
  expect(isGarbled(asWords(text))).toBe(garbled);
});
