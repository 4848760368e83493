/** Wakes a loop early. A ring while nobody waits is kept, so that no hint is lost between two looks. */
export interface Bell {
  ring(): void;
  /** Resolves at a ring, after `ms`, or when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async wait(ms, signal) {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
          signal.addEventListener('abort', wake, { once: true });
        });
        if (wake) signal.removeEventListener('abort', wake);
        wake = null;
      }
      rung = false;
    },
  };
}
