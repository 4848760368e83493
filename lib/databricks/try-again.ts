import type { CallClock } from './call-clock';
import { WorkspaceError } from './workspace-error';

export interface TryAgainOptions {
  readonly clock: CallClock;
  /** A second call does no harm, so one whose outcome is unknown may be made again. */
  readonly idempotent: boolean;
  /** No wait goes beyond this many milliseconds after the first try; 0 = one try. */
  readonly forMs: number;
  readonly signal?: AbortSignal;
  readonly onWait?: (error: WorkspaceError, waitMs: number) => void;
}

/** Linear, as Databricks' own clients wait: 1 s, 2 s, … 10 s. */
const STEP_MS = 1_000;
const LONGEST_MS = 10_000;
/** Callers that were all told the same are spread upwards by up to so much. */
const JITTER = 0.5;

/** Makes a call again while it is worth it: `Retry-After` is a floor, and a wait that would end too late is not begun. */
export async function tryAgain<T>(call: () => Promise<T>, options: TryAgainOptions): Promise<T> {
  const { clock, signal } = options;
  const until = clock.now() + options.forMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof WorkspaceError) || signal?.aborted || !mayTryAgain(error, options.idempotent))
        throw error;
      const floor =
        error.retryAfterSeconds === null
          ? Math.min(tries * STEP_MS, LONGEST_MS)
          : error.retryAfterSeconds * 1000;
      const waitMs = floor * (1 + JITTER * clock.random());
      if (clock.now() + waitMs > until) throw error;
      options.onWait?.(error, waitMs);
      await clock.wait(waitMs, signal);
    }
  }
}

/** A 429 was surely not carried out. Anything else that is passing leaves open whether it was. */
function mayTryAgain(error: WorkspaceError, idempotent: boolean): boolean {
  return error.retryable && (idempotent || error.status === 429);
}
