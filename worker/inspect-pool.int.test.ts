import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runEnvironment } from '@/lib/config/run-environment';
import { createLogger } from '@/lib/log';
import { runs } from '@/test/run-fixture';
import { until } from '@/test/until';
import { createInspectPool, type InspectPool, InspectPoolClosed } from './inspect-pool';

const script = fileURLToPath(new URL('../test/fixtures/fake-inspect-child.mjs', import.meta.url));
let pool: InspectPool;
function start(change: { timeoutMs?: number; maxMemoryMb?: number } = {}) {
  pool = createInspectPool({
    script,
    size: 2,
    environment: runEnvironment(),
    timeoutMs: 30_000,
    maxMemoryMb: 512,
    log: createLogger('test', 'silent'),
    ...change,
  });
}
beforeEach(() => start());
afterEach(() => pool.close());

test('many documents are inspected by a few children, which are kept', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => pool.inspect('/x/pid', 100)));
  expect(new Set(replies.map((reply) => reply?.pageCount)).size).toBeLessThanOrEqual(2);
});

test('a verdict comes back as it is', async () => {
  expect((await pool.inspect('/x/locked', 100))?.verdict?.code).toBe('password_required');
  expect((await pool.inspect('/x/garbage', 100))?.pageCount).toBe(2);
});

test.each(['hang', 'spin'])(
  'B38: a document over which the child is stuck (%s) is given up, others go on',
  async (how) => {
    start({ timeoutMs: 1000 });
    const [stuck, fine] = await Promise.all([pool.inspect(`/x/${how}`, 100), pool.inspect('/x/text', 100)]);
    expect(stuck).toBeNull();
    expect(fine?.pageCount).toBe(2);
    expect((await pool.inspect('/x/text', 100))?.pageCount).toBe(2);
  },
);

test('B39: a document that takes too much memory is given up', async () => {
  start({ maxMemoryMb: 300 });
  expect(await pool.inspect('/x/memory', 100)).toBeNull();
});

test('B39: a child that has grown over its documents is not kept, and no document is given up for it', async () => {
  await pool.close();
  start({ maxMemoryMb: 400 });
  const pids: (number | null | undefined)[] = [];
  for (let n = 0; n < 12; n += 1) pids.push((await pool.inspect('/x/grow', 100))?.pageCount);
  expect(pids.every((pid) => typeof pid === 'number')).toBe(true);
  expect(new Set(pids).size).toBeGreaterThan(2);
  expect(new Set(pids).size).toBeLessThan(12);
});

test('a document over which the child crashes is given up', async () => {
  expect(await pool.inspect('/x/crash', 100)).toBeNull();
  expect((await pool.inspect('/x/text', 100))?.pageCount).toBe(2);
});

test('closing ends the children and tells who waits', async () => {
  const pid = (await pool.inspect('/x/pid', 100))?.pageCount ?? 0;
  expect(await runs(pid)).toBe(true);
  const waiting = expect(pool.inspect('/x/hang', 100)).rejects.toThrow(InspectPoolClosed);
  pool.close();
  await waiting;
  await until('the child to end', async () => !(await runs(pid)));
});
