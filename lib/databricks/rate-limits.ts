import pThrottle from 'p-throttle';
import type { CallClock } from './call-clock';
import { WorkspaceError } from './workspace-error';

/**
 * Calls a second that we make of each kind: three quarters of what a whole workspace is allowed (20, 100, 30, 10, 20), so
 * that a second process of ours, or somebody else's job, still gets an answer.
 * Source: "Resource limits" of the Databricks documentation, API rate limits for jobs.
 */
export const CALLS_PER_SECOND = {
  'run-now': 15,
  'runs/get': 75,
  'runs/list': 22,
  'runs/cancel': 7,
  'runs/get-output': 15,
} as const;

/** Calls that share a limit of the workspace. */
export type RateFamily = keyof typeof CALLS_PER_SECOND;

export interface RateLimits {
  /**
   * Resolves when a call of this kind may be made. Throws {@link WorkspaceError}, a 429 as the workspace's own, where the
   * workspace has asked for a longer wait than `maxWaitMs`.
   */
  turn(family: RateFamily | undefined, options: { maxWaitMs: number; signal?: AbortSignal }): Promise<void>;
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
    async turn(name, { maxWaitMs, signal }) {
      const family = name && byName.get(name);
      if (!family) return;
      for (;;) {
        const waitMs = family.heldUntil - clock.now();
        if (waitMs > maxWaitMs) throw heldError(name, waitMs / 1000);
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

function heldError(family: string, seconds: number): WorkspaceError {
  return new WorkspaceError(`The workspace takes no calls of ${family} for another ${Math.ceil(seconds)} s`, {
    status: 429,
    errorCode: 'REQUEST_LIMIT_EXCEEDED',
    retryable: true,
    retryAfterSeconds: seconds,
  });
}
