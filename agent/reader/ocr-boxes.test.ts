import { expect, test } from 'vitest';
import { boxMapper } from './ocr-boxes';

/** A sheet of 100 by 200 points drawn at two pixels a point. */
const image = { width: 200, height: 400, scale: 2 };
const box = { x0: 20, y0: 40, x1: 60, y1: 50 };

test('a box of the picture becomes points of the page', () => {
  expect(boxMapper(image, { angle: 0 })(box)).toEqual({ x0: 10, y0: 20, x1: 30, y1: 25 });
  expect(boxMapper(image, { angle: 0, half: true })(box)).toEqual({ x0: 20, y0: 40, x1: 60, y1: 50 });
});

test('a box of a picture that was turned upright lies on the page as the page lies', () => {
  expect(boxMapper(image, { angle: 180 })(box)).toEqual({ x0: 70, y0: 175, x1: 90, y1: 180 });
  // Text runs downwards: what is near the left of a line is near the top of the page.
  expect(boxMapper(image, { angle: 90 })(box)).toEqual({ x0: 75, y0: 10, x1: 80, y1: 30 });
  expect(boxMapper(image, { angle: 270 })(box)).toEqual({ x0: 20, y0: 170, x1: 25, y1: 190 });
});

test('levelling is undone: two words of a level line stand askew on the page again', () => {
  const skew = 0.03;
  const toPage = boxMapper(image, { angle: 0, skew });
  const left = toPage({ x0: 20, y0: 100, x1: 40, y1: 110 });
  const right = toPage({ x0: 160, y0: 100, x1: 180, y1: 110 });
  expect((right.y0 - left.y0) / (right.x0 - left.x0)).toBeCloseTo(skew);
  expect(left.x1 - left.x0).toBeCloseTo(10);
  // The middle of the picture stays the middle of the page, in the enlarged picture too.
  const levelled = { width: 200 * Math.cos(Math.atan(skew)) + 400 * Math.sin(Math.atan(skew)) };
  const middle = toPage({ x0: levelled.width / 2, y0: 202.91, x1: levelled.width / 2, y1: 202.91 });
  expect(middle.x0).toBeCloseTo(50, 0);
});
