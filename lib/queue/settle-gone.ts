import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import type { RunStatus } from '@/lib/platform/job-runner/port';
import { applyCallback, type CallbackHooks, type Delivery } from './callback';
import { confirmCancelled } from './cancel';
import { endAttempt } from './end-attempt';
import { lockTaskOfAttempt } from './lock-task';

export interface SettleOptions {
  /**
   * The final report that a run left beside its document, its signature checked; null when there is none, or none that
   * can be used. Throws when it can't tell now.
   */
  readonly readOutbox: (attemptId: string) => Promise<Delivery | null>;
  readonly hooks: CallbackHooks;
  /** Told of each task that could not be dealt with now; the next sweep tries again. */
  readonly onError?: (error: unknown, about: { taskId?: string; attemptId?: string }) => void;
}

/**
 * The run is gone: what it left behind decides, and only where it left nothing it is lost. Also for whoever watches a
 * run and finds it gone before its lease runs out. Null when there was nothing left to settle.
 */
export async function settleGone(
  db: Queryable,
  options: SettleOptions,
  attemptId: string,
  state: RunStatus & { state: 'gone' },
): Promise<'cancelled' | 'lost' | 'reported' | null> {
  const reported = await applyOutbox(db, options, attemptId);
  if ((await confirmCancelled(db, { attemptId })) === 'cancelled') return 'cancelled';
  const message = state.message ?? 'The run ended without an answer.';
  const as = state.code && state.code !== 'run_lost' ? 'failed' : 'lost';
  const code = state.code ?? 'run_lost';
  if (await endCurrent(db, attemptId, { as, code, message, retryable: state.retryable })) return 'lost';
  return reported ? 'reported' : null;
}

/** Applies the report that a run left; false when there is none. */
export async function applyOutbox(
  db: Queryable,
  options: SettleOptions,
  attemptId: string,
): Promise<boolean> {
  const delivery = await options.readOutbox(attemptId);
  if (!delivery) return false;
  try {
    await applyCallback(db, delivery, options.hooks);
    return true;
  } catch (error) {
    // About another attempt, say: no report on this one, and waiting would not make it one.
    if (!(error instanceof DomainError)) throw error;
    options.onError?.(error, { attemptId });
    return false;
  }
}

/** Ends an attempt without success; false when it is not its task's current one: somebody was faster. */
export async function endCurrent(
  db: Queryable,
  attemptId: string,
  end: {
    readonly as: 'failed' | 'lost' | 'superseded';
    readonly code: string;
    readonly message: string;
    /** Default true. */
    readonly retryable?: boolean;
  },
): Promise<boolean> {
  const { as, code, message, retryable = true } = end;
  return withTransaction(db, async (tx) => {
    const found = await lockTaskOfAttempt(tx, attemptId);
    if (!found || found.task.currentAttemptId !== attemptId) return false;
    const error = { code, message, retryable, retryAfterSeconds: null };
    await endAttempt(tx, found.task, { attemptId, as, error, actor: 'sweeper' });
    return true;
  });
}
