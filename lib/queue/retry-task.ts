import { sql } from 'drizzle-orm';
import type { Queryable, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { lockTask, lockTasks } from './lock-task';
import { moveTasks } from './move-task';

/** An operator's retry goes above bulk (50) and premium work (70). */
export const RETRY_PRIORITY = 80;

/**
 * Queues a failed or cancelled task again with a new budget of attempts; its history stays. Throws `not_found`.
 * @returns `noop` when the task is neither failed nor cancelled
 */
export async function retryTask(
  db: Queryable,
  { taskId, actor }: { taskId: string; actor: string },
): Promise<'enqueued' | 'noop'> {
  return withTransaction(db, async (tx) => {
    if (!(await lockTask(tx, taskId))) throw new DomainError('not_found', 'There is no such task.');
    return (await reopen(tx, [taskId], actor)) > 0 ? 'enqueued' : 'noop';
  });
}

/** {@link retryTask} for many, in a bounded number of statements; an unknown one is left out. @returns how many changed */
export async function retryTasks(
  db: Queryable,
  { taskIds, actor, reason }: { taskIds: readonly string[]; actor: string; reason?: string },
): Promise<number> {
  return withTransaction(db, async (tx) => {
    const tasks = await lockTasks(tx, taskIds);
    return reopen(
      tx,
      tasks.map(({ id }) => id),
      actor,
      reason,
    );
  });
}

async function reopen(
  tx: Tx,
  taskIds: readonly string[],
  actor: string,
  reason = 'retried',
): Promise<number> {
  const moved = await moveTasks(
    tx,
    'reopen',
    taskIds.map((taskId) => ({ taskId })),
    {
      actor,
      reason,
      set: sql`
        max_attempts = t.attempt_count + (select a.max_attempts from tickmark.agents a where a.id = t.agent_id),
        lost_count = 0,
        priority = greatest(t.priority, ${RETRY_PRIORITY}),
        available_at = clock_timestamp(),
        blocked_since = null,
        cancel_requested_at = null,
        error_code = null,
        error_message = null`,
    },
  );
  return moved.length;
}
