import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { lockTask, lockTaskOfAttempt } from './lock-task';
import { moveTask } from './move-task';

/**
 * Cancels a waiting task at once. One in `processing` keeps its slot until its run is known to have stopped; asking
 * twice changes nothing. Throws `not_found`.
 */
export async function cancelTask(
  db: Queryable,
  { taskId, actor }: { taskId: string; actor: string },
): Promise<'cancelled' | 'cancel_requested' | 'noop'> {
  return withTransaction(db, async (tx) => {
    const task = await lockTask(tx, taskId);
    if (!task) throw new DomainError('not_found', 'There is no such task.');
    if (task.status === 'enqueued') {
      await moveTask(tx, 'cancelWaiting', { taskId, actor, reason: 'cancelled' });
      return 'cancelled';
    }
    if (task.status !== 'processing') return 'noop';
    if (!task.currentAttemptId) {
      await moveTask(tx, 'cancelOrphan', { taskId, actor, reason: 'cancelled' });
      return 'cancelled';
    }
    if (!task.cancelRequested) {
      // Naming the status makes the trigger tell the browsers.
      await tx.execute(sql`
        /* queue.request_cancel */
        with requested as (
          update tickmark.tasks set status = status, cancel_requested_at = clock_timestamp() where id = ${taskId}::uuid
        )
        insert into tickmark.task_events (task_id, attempt_id, from_status, to_status, actor, reason)
        values (${taskId}::uuid, ${task.currentAttemptId}::uuid, 'processing', 'processing', ${actor}, 'cancel requested')`);
    }
    return 'cancel_requested';
  });
}

/** Ends a task whose cancel was requested, once its run is known to have stopped. */
export async function confirmCancelled(
  db: Queryable,
  { attemptId, actor = 'sweeper' }: { attemptId: string; actor?: string },
): Promise<'cancelled' | 'stale'> {
  return withTransaction(db, async (tx) => {
    const found = await lockTaskOfAttempt(tx, attemptId);
    if (!found?.task.cancelRequested || found.task.currentAttemptId !== found.attempt.id) return 'stale';
    await moveTask(tx, 'cancelStopped', {
      taskId: found.task.id,
      attemptId,
      actor,
      reason: 'cancelled, its run has stopped',
      setAttempt: sql`run_stopped_at = coalesce(run_stopped_at, clock_timestamp())`,
    });
    return 'cancelled';
  });
}
