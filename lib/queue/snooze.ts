import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { isInHand, lockTaskOfAttempt } from './lock-task';
import { moveTask } from './move-task';

/**
 * Gives a claim back without counting the attempt: the runner was full, or the run was stopped with the machine.
 * @param workerId gives it back. One that was away, so that another worker has taken the claim over, gets `stale`
 * @param actor who is said to have done it, where it was no worker
 * @param runStopped the run was there and surely does not go on; any worker may say so
 */
export async function snoozeAttempt(
  db: Queryable,
  {
    attemptId,
    delaySeconds,
    reason,
    workerId,
    actor = `worker:${workerId}`,
    runStopped = false,
  }: {
    attemptId: string;
    delaySeconds: number;
    reason: string;
    workerId: string;
    actor?: string;
    runStopped?: boolean;
  },
): Promise<'snoozed' | 'stale'> {
  return withTransaction(db, async (tx) => {
    const found = await lockTaskOfAttempt(tx, attemptId);
    if (!found || found.task.currentAttemptId !== found.attempt.id) return 'stale';
    if (!runStopped && !isInHand(found, workerId)) return 'stale';
    const { task } = found;
    const setAttempt = sql`run_stopped_at = coalesce(run_stopped_at, clock_timestamp())`;
    if (task.cancelRequested) {
      await moveTask(tx, 'cancelStopped', {
        taskId: task.id,
        attemptId,
        actor,
        reason: 'cancelled',
        setAttempt,
      });
      return 'snoozed';
    }
    await moveTask(tx, 'snooze', {
      taskId: task.id,
      attemptId,
      actor,
      reason,
      set: sql`
        attempt_count = greatest(0, attempt_count - 1),
        available_at = clock_timestamp() + make_interval(secs => ${Math.max(0, delaySeconds)}::float8)`,
      setAttempt,
    });
    return 'snoozed';
  });
}
