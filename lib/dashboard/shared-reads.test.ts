import { expect, test } from 'vitest';
import { SharedReads } from './shared-reads';

/** Reads that end when they are told to. */
function controlled() {
  const ends: ((value: number) => void)[] = [];
  return { ends, run: () => new Promise<number>((resolve) => ends.push(resolve)) };
}

test('identical reads share the one after the one under way, so that none is older than its question', async () => {
  const shared = new SharedReads<number>();
  const { ends, run } = controlled();
  const first = shared.read('a', run);
  const later = [shared.read('a', run), shared.read('a', run), shared.read('a', run)];
  expect(ends).toHaveLength(1);
  ends[0]?.(1);
  expect(await first).toBe(1);
  await Promise.resolve();
  expect(ends).toHaveLength(2);
  ends[1]?.(2);
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
});

test('different reads, and reads after the end of another one, are done by themselves', async () => {
  const shared = new SharedReads<number>();
  const { ends, run } = controlled();
  const one = shared.read('a', run);
  const other = shared.read('b', run);
  ends.forEach((end, n) => {
    end(n);
  });
  expect(await Promise.all([one, other])).toEqual([0, 1]);
  const again = shared.read('a', run);
  expect(ends).toHaveLength(3);
  ends[2]?.(7);
  expect(await again).toBe(7);
});

test('a read that fails fails for those who asked before it, and the next is tried', async () => {
  const shared = new SharedReads<number>();
  let runs = 0;
  const run = () => (runs++ === 0 ? Promise.reject(new Error('no')) : Promise.resolve(runs));
  const first = shared.read('a', run);
  const second = shared.read('a', run);
  await expect(first).rejects.toThrow('no');
  expect(await second).toBe(2);
});
