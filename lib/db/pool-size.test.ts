import { expect, it } from 'vitest';
import { poolSize } from './pool-size';

it.each([
  [10, 3],
  [25, 4],
  [104, 10],
  [4000, 10],
])('M30: of %i connections that a server has, a pool keeps at most %i', (usable, size) => {
  expect(poolSize(usable)).toBe(size);
  expect(4 * (size + 1)).toBeLessThanOrEqual(Math.max(usable, 16));
});

it('does not grow a pool beyond what it was made with', () => {
  expect(poolSize(4000, 2)).toBe(2);
});
