import pThrottle from 'p-throttle';
import type { CallClock } from './call-clock';

/**
 * Calls a second that we make of each kind: three quarters of what a whole workspace is allowed (20, 100, 30, 10), so
 * that a second process of ours, or somebody else's job, still gets an answer.
 * Source: "Resource limits" of the Databricks documentation, API rate limits for jobs.
 */
export const CALLS_PER_SECOND = { 'run-now': 15, 'runs/get': 75, 'runs/list': 22, 'runs/cancel': 7 } as const;

/** Calls that share a limit of the workspace. */
export type RateFamily = keyof typeof CALLS_PER_SECOND;

export interface RateLimits {
  /** Resolves when a call of this kind may be made. */
  turn(family: RateFamily | undefined, signal?: AbortSignal): Promise<void>;
  /** The workspace said to wait: nobody makes such a call before that. */
  hold(family: RateFamily | undefined, seconds: number): void;
}

/** One for a process: all its callers of a workspace share it. */
export function createRateLimits(clock: CallClock): RateLimits {
  const families = Object.entries(CALLS_PER_SECOND).map(([family, limit]) => {
    const turn = pThrottle({ limit, interval: 1000, strict: true })(async () => {});
    return [family, { turn, heldUntil: 0 }] as const;
  });
  const byName = new Map<string, { turn: () => Promise<void>; heldUntil: number }>(families);
  return {
    async turn(name, signal) {
      const family = name && byName.get(name);
      if (!family) return;
      for (;;) {
        const waitMs = family.heldUntil - clock.now();
        if (waitMs > 0) await clock.wait(waitMs, signal);
        // Each takes its turn after the wait, so that those who were held don't all go at once.
        await family.turn();
        signal?.throwIfAborted();
        if (family.heldUntil <= clock.now()) return;
      }
    },
    hold(name, seconds) {
      const family = name && byName.get(name);
      if (family) family.heldUntil = Math.max(family.heldUntil, clock.now() + seconds * 1000);
    },
  };
}
