import { sql } from 'drizzle-orm';
import type { Queryable, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { type LockedTask, lockTask, lockTaskOfAttempt, lockTasks } from './lock-task';
import { moveTask, moveTasks } from './move-task';

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
    await cancelLocked(tx, [task], actor);
    if (task.status === 'enqueued') return 'cancelled';
    if (task.status !== 'processing') return 'noop';
    return task.currentAttemptId ? 'cancel_requested' : 'cancelled';
  });
}

/** {@link cancelTask} for many, in a bounded number of statements; an unknown one is left out. @returns how many changed */
export async function cancelTasks(
  db: Queryable,
  { taskIds, actor }: { taskIds: readonly string[]; actor: string },
): Promise<number> {
  return withTransaction(db, async (tx) => cancelLocked(tx, await lockTasks(tx, taskIds), actor));
}

async function cancelLocked(tx: Tx, tasks: readonly LockedTask[], actor: string): Promise<number> {
  const how = { actor, reason: 'cancelled' };
  const moving = (chosen: (task: LockedTask) => boolean) =>
    tasks.filter(chosen).map(({ id }) => ({ taskId: id }));
  const waiting = moving((task) => task.status === 'enqueued');
  const orphans = moving((task) => task.status === 'processing' && !task.currentAttemptId);
  const running = tasks.filter(
    (task) => task.status === 'processing' && task.currentAttemptId && !task.cancelRequested,
  );
  const cancelled = await moveTasks(tx, 'cancelWaiting', waiting, how);
  const freed = await moveTasks(tx, 'cancelOrphan', orphans, how);
  await requestCancel(tx, running, actor);
  return cancelled.length + freed.length + running.length;
}

async function requestCancel(tx: Tx, tasks: readonly LockedTask[], actor: string): Promise<void> {
  if (tasks.length === 0) return;
  const running = JSON.stringify(tasks.map((task) => ({ id: task.id, attempt_id: task.currentAttemptId })));
  // Naming the status makes the trigger tell the browsers.
  await tx.execute(sql`
    /* queue.request_cancel */
    with running as materialized (
      select * from jsonb_to_recordset(${running}::jsonb) as r (id uuid, attempt_id uuid)
    ),
    requested as (
      update tickmark.tasks t set status = t.status, cancel_requested_at = clock_timestamp()
      from running where t.id = running.id
    )
    insert into tickmark.task_events (task_id, attempt_id, from_status, to_status, actor, reason)
    select id, attempt_id, 'processing', 'processing', ${actor}, 'cancel requested' from running`);
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
