import { expect, test } from 'vitest';
import { type Turns, turnBox, turnSize } from './page-layout';

const PAGE = { width: 600, height: 800 };

test('a place keeps its corner of the page through every turn, and four turns are none', () => {
  // At the top left, 10 to the right and 20 down.
  const box = [10, 20, 110, 60] as [number, number, number, number];
  expect(turnBox(box, PAGE, 1)).toEqual([740, 10, 780, 110]);
  expect(turnBox(box, PAGE, 2)).toEqual([490, 740, 590, 780]);
  expect(turnBox(box, PAGE, 3)).toEqual([20, 490, 60, 590]);
  let [turned, size] = [box, PAGE];
  for (let n = 0; n < 4; n += 1) {
    turned = turnBox(turned, size, 1);
    size = turnSize(size, 1);
  }
  expect({ turned, size }).toEqual({ turned: box, size: PAGE });
});

test.each([0, 1, 2, 3] as Turns[])('after %i turns a place is still on the page', (turns) => {
  const { width, height } = turnSize(PAGE, turns);
  const [x0, y0, x1, y1] = turnBox([0, 0, 600, 800], PAGE, turns);
  expect([x0, y0, x1, y1]).toEqual([0, 0, width, height]);
});
