import { sql } from 'drizzle-orm';
import type { Queryable, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { type LockedTask, lockTask, lockTasks } from './lock-task';

/**
 * Changes how early a task is claimed (0 to 100, higher first); it counts for the next claim. Throws `not_found`.
 * @returns `noop` when the task has that priority or is final
 */
export async function setPriority(
  db: Queryable,
  { taskId, priority, actor }: { taskId: string; priority: number; actor: string },
): Promise<'changed' | 'noop'> {
  return withTransaction(db, async (tx) => {
    const task = await lockTask(tx, taskId);
    if (!task) throw new DomainError('not_found', 'There is no such task.');
    return (await setLocked(tx, [task], priority, actor)) > 0 ? 'changed' : 'noop';
  });
}

/** {@link setPriority} for many, in a bounded number of statements; an unknown one is left out. @returns how many changed */
export async function setPriorities(
  db: Queryable,
  { taskIds, priority, actor }: { taskIds: readonly string[]; priority: number; actor: string },
): Promise<number> {
  return withTransaction(db, async (tx) => setLocked(tx, await lockTasks(tx, taskIds), priority, actor));
}

async function setLocked(
  tx: Tx,
  tasks: readonly LockedTask[],
  priority: number,
  actor: string,
): Promise<number> {
  const ids = JSON.stringify(tasks.map(({ id }) => id));
  const { rows } = await tx.execute(sql`
    /* queue.set_priority */
    with wanted as materialized (
      select w.id::uuid as id from jsonb_array_elements_text(${ids}::jsonb) as w (id)
    ),
    changed as (
      update tickmark.tasks t
      set priority = ${priority}, blocked_since = null
      from wanted
      where t.id = wanted.id and t.priority <> ${priority}
        and t.status = any('{enqueued,processing}'::tickmark.task_status[])
      returning t.id, t.status
    )
    insert into tickmark.task_events (task_id, from_status, to_status, actor, reason)
    select id, status, status, ${actor}, ${`priority ${priority}`} from changed
    returning id`);
  return rows.length;
}
