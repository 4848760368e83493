import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { lockTask } from './lock-task';

/**
 * Changes how early a task is claimed (0 to 100, higher first); it counts for the next claim. Throws `not_found`.
 * @returns `noop` when the task has that priority or is final
 */
export async function setPriority(
  db: Queryable,
  { taskId, priority, actor }: { taskId: string; priority: number; actor: string },
): Promise<'changed' | 'noop'> {
  return withTransaction(db, async (tx) => {
    if (!(await lockTask(tx, taskId))) throw new DomainError('not_found', 'There is no such task.');
    const { rows } = await tx.execute(sql`
      /* queue.set_priority */
      with changed as (
        update tickmark.tasks
        set priority = ${priority}, blocked_since = null
        where id = ${taskId}::uuid and priority <> ${priority} and status in ('enqueued', 'processing')
        returning id, status
      )
      insert into tickmark.task_events (task_id, from_status, to_status, actor, reason)
      select id, status, status, ${actor}, ${`priority ${priority}`} from changed
      returning id`);
    return rows.length > 0 ? 'changed' : 'noop';
  });
}
