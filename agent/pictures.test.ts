import { expect, test } from 'vitest';
import { withPictures } from './pictures';

const picture = (page: number, size = 10) => ({ page, jpeg: 'x'.repeat(size) });
const pagesOf = (parts: ReturnType<typeof withPictures>) =>
  parts.map(({ pictures }) => pictures.map(({ page }) => page));

test('each part of a document is shown with the pictures of its pages, also of those without text', () => {
  const windows = [
    { text: 'a', firstPage: 2 },
    { text: 'b', firstPage: 4 },
  ];
  const pictures = [1, 3, 4, 5].map((page) => picture(page));
  expect(pagesOf(withPictures(windows, pictures))).toEqual([
    [1, 3],
    [4, 5],
  ]);
});

test('a page that is cut in two is shown to both parts', () => {
  const windows = [
    { text: 'a', firstPage: 1 },
    { text: 'b', firstPage: 1 },
    { text: 'c', firstPage: 2 },
  ];
  expect(pagesOf(withPictures(windows, [picture(1), picture(2)]))).toEqual([[1], [1], [2]]);
});

test('a document on which nothing was recognised is shown to the model all the same', () => {
  expect(withPictures([], [picture(1)])).toMatchObject([{ text: '', pictures: [{ page: 1 }] }]);
  expect(withPictures([], [])).toEqual([]);
});

test('one call shows no more pictures than an endpoint takes', () => {
  const window = [{ text: 'a', firstPage: 1 }];
  const many = Array.from({ length: 30 }, (_, index) => picture(index + 1));
  expect(pagesOf(withPictures(window, many))[0]).toHaveLength(20);
  const large = [picture(1, 6_000_000), picture(2, 6_000_000)];
  expect(pagesOf(withPictures(window, large))).toEqual([[1]]);
});
