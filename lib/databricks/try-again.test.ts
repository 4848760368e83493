import { expect, test } from 'vitest';
import { jumpingClock } from '@/test/call-clock';
import { tryAgain } from './try-again';
import { WorkspaceError } from './workspace-error';

const failing = (errors: readonly Error[]) => {
  const left = [...errors];
  let calls = 0;
  return {
    calls: () => calls,
    call: async () => {
      calls += 1;
      const error = left.shift();
      if (error) throw error;
      return 'done';
    },
  };
};
const answer = (status: number | null, retryAfterSeconds?: number) =>
  new WorkspaceError(`status ${status}`, { status, retryable: true, retryAfterSeconds });

test('waits grow step by step, and Retry-After is a floor with jitter upward', async () => {
  const clock = jumpingClock(0.5);
  const { call } = failing([answer(503), answer(503), answer(429, 7), answer(null)]);
  expect(await tryAgain(call, { clock, idempotent: true, forMs: 60_000 })).toBe('done');
  expect(clock.waits).toEqual([1250, 2500, 8750, 5000]);
});

test('a call whose outcome is unknown is made again only where a second one does no harm', async () => {
  const clock = jumpingClock();
  for (const status of [null, 500, 503, 504]) {
    const { call, calls } = failing([answer(status)]);
    await expect(tryAgain(call, { clock, idempotent: false, forMs: 60_000 })).rejects.toMatchObject({
      status,
    });
    expect(calls()).toBe(1);
  }
  const refused = failing([answer(429)]);
  expect(await tryAgain(refused.call, { clock, idempotent: false, forMs: 60_000 })).toBe('done');
});

test('a wait that would end too late is not begun: the error says how long to wait instead', async () => {
  const clock = jumpingClock();
  const { call, calls } = failing([answer(429, 31)]);
  const outcome = tryAgain(call, { clock, idempotent: true, forMs: 30_000 });
  await expect(outcome).rejects.toMatchObject({ retryAfterSeconds: 31 });
  expect(calls()).toBe(1);
  expect(clock.waits).toEqual([]);
});

test('an error for good, one of our own and an abort are not tried again', async () => {
  const clock = jumpingClock();
  const options = { clock, idempotent: true, forMs: 60_000 };
  const forGood = failing([new WorkspaceError('no', { status: 403, retryable: false })]);
  await expect(tryAgain(forGood.call, options)).rejects.toThrow('no');
  const ours = failing([new TypeError('a bug')]);
  await expect(tryAgain(ours.call, options)).rejects.toThrow('a bug');
  const aborted = failing([answer(503)]);
  await expect(tryAgain(aborted.call, { ...options, signal: AbortSignal.abort() })).rejects.toMatchObject({
    status: 503,
  });
  expect([forGood.calls(), ours.calls(), aborted.calls()]).toEqual([1, 1, 1]);
});
