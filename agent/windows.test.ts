import { expect, test } from 'vitest';
import { beginning, windows } from './windows';

const page = (number: number, lineCount: number) => ({
  page: number,
  lines: Array.from({ length: lineCount }, (_, row) => ({
    id: `${number}:${row + 1}`,
    page: number,
    text: 'ten words '.repeat(5).trim(),
    words: [],
    gapAbove: false,
  })),
});
const countWords = (text: string) => text.split(/\s+/).length;

test('a short document goes in one piece', () => {
  const [only, ...others] = windows([page(1, 2), page(2, 2)], 2, countWords);
  expect(others).toEqual([]);
  expect(only?.text).toContain('=== page 1 of 2 ===');
  expect(only?.text).toContain('2:2| ');
});

test('a long document is cut between pages, a long page between lines; no line is lost', () => {
  const pages = [page(1, 10), page(2, 10), page(3, 100)];
  const parts = windows(pages, 3, countWords, 250);
  const texts = parts.map(({ text }) => text);
  for (const text of texts) expect(countWords(text)).toBeLessThanOrEqual(250);
  for (const { text, firstPage } of parts) expect(text).toContain(`\n${firstPage}:`);
  const ids = texts.flatMap((text) => [...text.matchAll(/^(\d+:\d+)\|/gm)].map((match) => match[1]));
  expect(ids).toEqual(pages.flatMap(({ lines }) => lines.map((line) => line.id)));
});

test('empty pages are left out, also before the beginning', () => {
  expect(windows([page(1, 0)], 1, countWords)).toEqual([]);
  expect(beginning([page(1, 0), page(2, 1)], 2, countWords)).toContain('2:1|');
  expect(beginning([], 0, countWords)).toBe('');
});
