import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import type { JobRunner, RunStatus } from '@/lib/platform/job-runner/port';
import type { ClaimedTask } from './claim';
import { type TakenTask, takeExpired } from './expired-leases';
import { listCancelling } from './lease';
import { lockTask, lockTaskOfAttempt } from './lock-task';
import { moveTask } from './move-task';
import { applyOutbox, endCurrent, type SettleOptions, settleGone } from './settle-gone';
import { isLive } from './states';
import { listUnstopped, markStopped, supersedeStrays } from './stray-attempts';

export interface SweepOptions extends SettleOptions {
  readonly runner: JobRunner;
  /** Submits the same attempt again and records what came of it; gives the same run if there is one. */
  readonly redispatch: (task: ClaimedTask) => Promise<unknown>;
  /** For agents without a lease of their own. */
  readonly leaseSeconds: number;
  /** Tasks looked at in one sweep at most, per duty; default 200. */
  readonly limit?: number;
}

/** What one sweep did; all 0 when there was nothing to do. */
export type SweepReport = Record<
  | 'extended'
  | 'redispatched'
  | 'reported'
  | 'lost'
  | 'timedOut'
  | 'cancelled'
  | 'requeued'
  | 'stopped'
  | 'failed',
  number
>;

const emptyReport = (): SweepReport => ({
  extended: 0,
  redispatched: 0,
  reported: 0,
  lost: 0,
  timedOut: 0,
  cancelled: 0,
  requeued: 0,
  stopped: 0,
  failed: 0,
});

/**
 * Looks after what nobody else does: leases that ran out, cancels that were requested, runs that were superseded, rows
 * that were changed by hand. An expired lease is a reason to ask, not proof of death: only a runner that says "gone"
 * ends an attempt. Any number of sweepers may run at once.
 */
export async function sweepOnce(db: Queryable, options: SweepOptions): Promise<SweepReport> {
  const limit = options.limit ?? 200;
  const report = emptyReport();
  await supersedeStrays(db);
  const expired = await takeExpired(db, { leaseSeconds: options.leaseSeconds, limit });
  const cancelling = await listCancelling(db, limit);
  const unstopped = await listUnstopped(db, limit);
  const runIds = [
    ...expired.flatMap(({ attempt }) => attempt?.runId ?? []),
    ...cancelling.map(({ runId }) => runId),
    ...unstopped.flatMap(({ runId }) => runId ?? []),
  ];
  const states = await askRunner(options, [...new Set(runIds)]);
  const stateOf = (runId: string): RunStatus => states.get(runId) ?? { state: 'unreachable' };

  const each = async <T extends { taskId?: string; attemptId?: string }>(
    items: readonly T[],
    deal: (item: T) => Promise<keyof SweepReport | null>,
  ) => {
    for (const item of items) {
      try {
        const did = await deal(item);
        if (did) report[did]++;
      } catch (error) {
        report.failed++;
        options.onError?.(error, { taskId: item.taskId, attemptId: item.attemptId });
      }
    }
  };
  await each(expired, (task) => recover(db, options, task, stateOf));
  await each(cancelling, async ({ attemptId, runId }) => {
    const state = stateOf(runId);
    if (state.state === 'gone') return settleGone(db, options, attemptId, state);
    await options.runner.cancel(runId);
    return null;
  });
  await each(unstopped, async ({ attemptId, runId, overdue }) => {
    const state: RunStatus = runId ? stateOf(runId) : { state: overdue ? 'gone' : 'unreachable' };
    if (state.state === 'gone') {
      await applyOutbox(db, options, attemptId);
      await markStopped(db, [attemptId]);
      return 'stopped';
    }
    if (runId) await options.runner.cancel(runId);
    return null;
  });
  return report;
}

async function askRunner(
  options: SweepOptions,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, RunStatus>> {
  if (runIds.length === 0) return new Map();
  try {
    return await options.runner.status(runIds);
  } catch (error) {
    // Out of reach is an answer too: nothing is taken for dead.
    options.onError?.(error, {});
    return new Map();
  }
}

async function recover(
  db: Queryable,
  options: SweepOptions,
  { taskId, attempt }: TakenTask,
  stateOf: (runId: string) => RunStatus,
): Promise<keyof SweepReport | null> {
  if (!attempt) return requeueOrphan(db, taskId);
  if (!attempt.runId) {
    await options.redispatch(attempt);
    return 'redispatched';
  }
  const state = stateOf(attempt.runId);
  if (state.state === 'gone') return settleGone(db, options, attempt.attemptId, state);
  if (attempt.pastDeadline) {
    // Given up whether or not the runner hears of it now: its slot counts until the run has stopped.
    const ended = await endCurrent(
      db,
      attempt.attemptId,
      'superseded',
      'timeout',
      'The run was stopped at its time limit.',
    );
    await options.runner.cancel(attempt.runId);
    return ended ? 'timedOut' : null;
  }
  return 'extended';
}

/** A row in `processing` that no attempt stands for: set by hand. */
async function requeueOrphan(db: Queryable, taskId: string): Promise<keyof SweepReport | null> {
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
