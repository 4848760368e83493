import { setTimeout as delay } from 'node:timers/promises';

/** What passes while a call waits; tests give one that they move themselves. */
export interface CallClock {
  /** Milliseconds that only ever grow. */
  now(): number;
  /** Rejects when the signal is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1, to spread callers that wait for the same thing. */
  random(): number;
}

export const realClock: CallClock = {
  now: () => performance.now(),
  wait: (ms, signal) => delay(ms, undefined, { signal }),
  random: Math.random,
};
