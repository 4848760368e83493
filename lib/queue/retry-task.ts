import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { lockTask } from './lock-task';
import { moveTask } from './move-task';

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
    const moved = await moveTask(tx, 'reopen', {
      taskId,
      actor,
      reason: 'retried',
      set: sql`
        max_attempts = t.attempt_count + (select a.max_attempts from tickmark.agents a where a.id = t.agent_id),
        lost_count = 0,
        priority = greatest(t.priority, ${RETRY_PRIORITY}),
        available_at = clock_timestamp(),
        blocked_since = null,
        cancel_requested_at = null,
        error_code = null,
        error_message = null`,
    });
    return moved ? 'enqueued' : 'noop';
  });
}
