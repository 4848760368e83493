import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '@/lib/log';
import { createBell } from './bell';
import { type Pace, runLoop } from './loop';

const log = createLogger('test', 'silent');
let stop: AbortController;
beforeEach(() => {
  vi.useFakeTimers();
  stop = new AbortController();
});
afterEach(() => vi.useRealTimers());

function start(tick: () => Promise<Pace>, intervalMs = 1000) {
  const bell = createBell();
  const ended = runLoop('test', tick, { intervalMs, signal: stop.signal, log, bell });
  return { bell, ended };
}

test('an idle loop looks once per interval, and at once when the bell rings', async () => {
  const tick = vi.fn(async (): Promise<Pace> => 'idle');
  const { bell, ended } = start(tick);
  await vi.advanceTimersByTimeAsync(0);
  expect(tick).toHaveBeenCalledTimes(1);
  bell.ring();
  await vi.advanceTimersByTimeAsync(0);
  expect(tick).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1200);
  expect(tick).toHaveBeenCalledTimes(3);
  stop.abort();
  await ended;
});

test('a ring during a tick is not lost', async () => {
  const tick = vi.fn(async (): Promise<Pace> => {
    await Promise.resolve();
    if (tick.mock.calls.length === 1) bell.ring();
    return 'idle';
  });
  const { bell, ended } = start(tick);
  await vi.advanceTimersByTimeAsync(0);
  expect(tick).toHaveBeenCalledTimes(2);
  stop.abort();
  await ended;
});

test('a loop that fails goes on, less and less often, however often the bell rings', async () => {
  const tick = vi.fn(async (): Promise<Pace> => {
    throw new Error('the database is away');
  });
  const { bell, ended } = start(tick);
  for (let n = 0; n < 1000; n += 1) {
    bell.ring();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(tick.mock.calls.length).toBeGreaterThan(5);
  expect(tick.mock.calls.length).toBeLessThan(30);
  stop.abort();
  await ended;
});

test('a loop ends when it is told to, in the middle of a wait', async () => {
  const { ended } = start(async () => 'idle', 3_600_000);
  await vi.advanceTimersByTimeAsync(0);
  stop.abort();
  await ended;
});

test('B24: loops that start together soon look at different times, and on average once per interval', async () => {
  const looks = Array.from({ length: 20 }, () => [] as number[]);
  const loops = looks.map((times) =>
    start(async () => {
      times.push(performance.now());
      return 'idle';
    }),
  );
  await vi.advanceTimersByTimeAsync(100_000);
  const last = looks.map((times) => times.at(-1) ?? 0);
  expect(new Set(last.map((at) => Math.round(at))).size).toBeGreaterThan(15);
  for (const { length } of looks) {
    expect(length).toBeGreaterThan(90);
    expect(length).toBeLessThan(112);
  }
  stop.abort();
  await Promise.all(loops.map(({ ended }) => ended));
});
