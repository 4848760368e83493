import { describe, expect, test } from 'vitest';
import { findInPage, foldPage, type TextPiece } from './find-text';

const piece = (text: string, x: number, over: Partial<TextPiece> = {}): TextPiece => ({
  ...{ text, endsLine: false, x, y: 100, width: text.length * 10, height: 10, angle: 0 },
  ...over,
});

describe('text on a page', () => {
  test('is found without case and accents, each time that it stands there', () => {
    const page = foldPage([piece('Büro büro BURO', 0)]);
    expect(findInPage(page, 'büro')).toHaveLength(3);
    expect(findInPage(page, 'buro')[1]).toEqual([[50, 90, 90, 102]]);
  });

  test('is found across pieces and lines, with a box for each', () => {
    const page = foldPage([
      piece('Net', 0),
      piece(' ', 30),
      piece('total', 40, { endsLine: true }),
      piece('due', 0, { y: 120 }),
    ]);
    expect(findInPage(page, 'net  total due')).toEqual([
      [
        [0, 90, 30, 102],
        [40, 90, 90, 102],
        [0, 110, 30, 122],
      ],
    ]);
  });

  test('that runs upwards has an upright box', () => {
    const [boxes] = findInPage(foldPage([piece('ab', 50, { angle: -Math.PI / 2 })]), 'ab');
    expect(boxes?.[0]?.map(Math.round)).toEqual([40, 80, 52, 100]);
  });

  test('that is no text is nowhere', () => {
    expect(findInPage(foldPage([piece('a', 0)]), '  ')).toEqual([]);
    expect(findInPage(foldPage([]), 'a')).toEqual([]);
  });
});
