import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layoutPage, renderPages } from './layout';
import type { PageText, Word } from './reader/page';

/** A word of a 10 point font whose characters are 5 points wide; `y` is its baseline. */
function word(text: string, x: number, y: number, width = text.length * 5): Word {
  return { text, x0: x, x1: x + width, y0: y - 8, y1: y + 2 };
}

function page(words: readonly Word[], change: Partial<PageText> = {}): PageText {
  return {
    page: 1,
    width: 600,
    height: 800,
    source: 'text',
    confidence: 1,
    textAngle: 0,
    skew: 0,
    words,
    ...change,
  };
}

function texts(words: readonly Word[], change: Partial<PageText> = {}): string[] {
  return layoutPage(page(words, change)).map((line) => line.text);
}

test('columns stay above one another whatever order the words come in', () => {
  const words = [
    word('22,00', 275, 120),
    word('Total', 50, 140),
    word('Steak', 50, 120),
    word('1.022,00', 260, 140),
    word('Item', 50, 100),
    word('Amount', 270, 100),
  ];
  expect(texts(words)).toEqual([
    'Item                                        Amount',
    'Steak                                        22,00',
    'Total                                     1.022,00',
  ]);
});

test('words of one phrase have one space between them, columns at least two', () => {
  expect(texts([word('Net', 50, 100), word('total', 68, 100), word('473,00', 103, 100)])).toEqual([
    'Net total  473,00',
  ]);
});

test('letter-spaced words are put together and stay apart from one another', () => {
  const spaced = (text: string, x: number) =>
    [...text].map((letter, index) => word(letter, x + index * 8, 100));
  expect(texts([...spaced('Rechnung', 50), ...spaced('Nummer', 130), word('4711', 200, 100)])).toEqual([
    'Rechnung Nummer     4711',
  ]);
});

test('a row of single figures is not taken for a word', () => {
  const row = ['1', '2', '3', '4', '5'].map((figure, index) => word(figure, 50 + index * 12, 100));
  expect(texts(row)[0]).toMatch(/^1\s+2\s+3\s+4\s+5$/);
});

test('lines have ids by page and number, and every word knows its columns', () => {
  const [line] = layoutPage(page([word('Total', 50, 100), word('9.99', 200, 100)], { page: 3 }));
  expect(line?.id).toBe('3:1');
  for (const { word: placed, start, end } of line?.words ?? []) {
    expect(line?.text.slice(start, end)).toBe(placed.text);
  }
});

test('pages are rendered under headers with an empty line where a block begins', () => {
  const text = renderPages([page([word('Title', 50, 100), word('Body', 50, 160)], { page: 2 })], 7);
  expect(text).toBe('=== page 2 of 7 ===\n2:1| Title\n\n2:2| Body');
});

test('a page whose text runs downwards is laid out upright, boxes stay where they are', () => {
  // Two words one below the other at the right edge: a line when the page is turned.
  const words = [
    { text: 'Invoice', x0: 540, x1: 550, y0: 50, y1: 85 },
    { text: '471', x0: 540, x1: 550, y0: 90, y1: 105 },
    { text: 'second', x0: 520, x1: 530, y0: 50, y1: 80 },
  ];
  const lines = layoutPage(page(words, { textAngle: 90 }));
  expect(lines.map((line) => line.text)).toEqual(['Invoice 471', 'second']);
  expect(lines[0]?.words[0]?.word).toMatchObject({ x0: 540, y0: 50 });
});

test('a scan that lies askew keeps its lines', () => {
  const row = (y: number) => [0, 150, 300, 450].map((x) => word(`w${x}`, x, y + x * 0.03));
  const lines = layoutPage(page([...row(100), ...row(114)], { skew: 0.03 }));
  expect(lines).toHaveLength(2);
  expect(lines.every((line) => line.words.length === 4)).toBe(true);
});

test('a page without words has no lines', () => {
  expect(texts([])).toEqual([]);
});

test('no word of a page is lost or made up, wherever it stands and however it is turned', () => {
  const anyWord = fc
    .record({
      text: fc.stringMatching(/^[A-Za-z0-9.,€-]{1,12}$/),
      x0: fc.double({ min: 0, max: 600, noNaN: true }),
      y0: fc.double({ min: 0, max: 800, noNaN: true }),
      width: fc.double({ min: 0, max: 200, noNaN: true }),
      height: fc.double({ min: 0, max: 60, noNaN: true }),
    })
    .map(({ text, x0, y0, width, height }) => ({ text, x0, y0, x1: x0 + width, y1: y0 + height }));
  const letters = (texts: readonly string[]) => [...texts.join('').replace(/\s/g, '')].sort().join('');
  fc.assert(
    fc.property(
      fc.array(anyWord, { maxLength: 60 }),
      fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const),
      fc.double({ min: -0.09, max: 0.09, noNaN: true }),
      (words, textAngle, skew) => {
        const lines = layoutPage(page(words, { textAngle, skew }));
        expect(letters(lines.map((line) => line.text))).toBe(letters(words.map(({ text }) => text)));
      },
    ),
  );
});
