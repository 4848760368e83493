import type { CallClock } from '@/lib/databricks/call-clock';

/** A clock that jumps: whoever waits goes on at once, and what was waited is noted. */
export interface JumpingClock extends CallClock {
  readonly waits: number[];
  advance(ms: number): void;
}

export function jumpingClock(random = 0): JumpingClock {
  let now = 1_000_000;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    random: () => random,
    async wait(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
    advance(ms) {
      now += ms;
    },
  };
}
