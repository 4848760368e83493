import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import type { JobRunner, RunStatus } from '@/lib/platform/job-runner/port';
import type { ClaimedTask } from './claim';
import type { TakenTask } from './expired-leases';
import { lockTask, lockTaskOfAttempt } from './lock-task';
import { moveTask } from './move-task';
import { endCurrent, type SettleOptions, settleGone } from './settle-gone';
import { isLive } from './states';

/** So many workers may be lost over the dispatch of one attempt; after that it is taken for what kills them. */
export const MAX_DISPATCH_CRASHES = 5;

export interface RecoverOptions extends SettleOptions {
  readonly runner: JobRunner;
  /** Submits the same attempt again and records what came of it; gives the same run if there is one. */
  readonly redispatch: (task: ClaimedTask) => Promise<unknown>;
}

/** What was done about a task that nobody looked after. */
export type Recovered =
  | 'extended'
  | 'redispatched'
  | 'reported'
  | 'lost'
  | 'timedOut'
  | 'cancelled'
  | 'requeued';

/** Deals with a task that was just taken: asks, then acts. Null when somebody else has dealt with it meanwhile. */
export async function recover(
  db: Queryable,
  options: RecoverOptions,
  { taskId, attempt }: TakenTask,
  stateOf: (runId: string) => RunStatus,
): Promise<Recovered | null> {
  if (!attempt) return requeueOrphan(db, taskId);
  const { attemptId, runId } = attempt;
  if (!runId) {
    if (attempt.dispatchCrashes >= MAX_DISPATCH_CRASHES) return park(db, attempt);
    await options.redispatch(attempt);
    return 'redispatched';
  }
  const state = stateOf(runId);
  if (state.state === 'gone') return settleGone(db, options, attemptId, state);
  if (attempt.pastDeadline) {
    // Given up whether or not the runner hears of it now: its slot counts until the run has stopped.
    const ended = await endCurrent(db, attemptId, {
      as: 'superseded',
      code: 'timeout',
      message: 'The run was stopped at its time limit.',
    });
    await options.runner.cancel(runId);
    return ended ? 'timedOut' : null;
  }
  return 'extended';
}

/** Whether a run was started before a worker died is not known, so its slot counts for a while. */
async function park(
  db: Queryable,
  { attemptId, dispatchCrashes }: { attemptId: string; dispatchCrashes: number },
): Promise<Recovered | null> {
  const ended = await endCurrent(db, attemptId, {
    as: 'superseded',
    code: 'run_lost',
    message: `Set aside: ${dispatchCrashes} workers were lost while they started this run.`,
    retryable: false,
  });
  return ended ? 'lost' : null;
}

/** A row in `processing` that no attempt stands for: set by hand. */
async function requeueOrphan(db: Queryable, taskId: string): Promise<Recovered | null> {
  return withTransaction(db, async (tx) => {
    const task = await lockTask(tx, taskId);
    if (task?.status !== 'processing') return null;
    const current = task.currentAttemptId ? await lockTaskOfAttempt(tx, task.currentAttemptId) : null;
    if (current && isLive(current.attempt.status)) return null;
    const name = task.cancelRequested ? 'cancelOrphan' : 'requeue';
    await moveTask(tx, name, { taskId, actor: 'sweeper', reason: 'in processing without an attempt' });
    return task.cancelRequested ? 'cancelled' : 'requeued';
  });
}
