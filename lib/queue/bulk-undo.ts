import { sql } from 'drizzle-orm';
import type { BulkAction } from '@/lib/contract/api-bulk';
import type { Tx } from '@/lib/db/client';
import { lockTasks } from './lock-task';
import { RETRY_PRIORITY, retryTasks } from './retry-task';

interface Batch {
  /** The operation whose effects are noted or taken back. */
  readonly operationId: string;
  readonly taskIds: readonly string[];
}

/**
 * Notes how tasks are before a batch of an operation changes them: of a cancel those that wait, since what has a run is
 * stopped and can't be put back. A retry is not noted: what was over before is known from its history.
 */
export async function noteBefore(
  tx: Tx,
  { operationId, taskIds, action }: Batch & { action: BulkAction },
): Promise<void> {
  if (action === 'retry') return;
  const able = action === 'cancel' ? '{enqueued}' : '{enqueued,processing}';
  await tx.execute(sql`
    /* queue.note_bulk_undo */
    insert into tickmark.bulk_undo (operation_id, task_id, priority)
    select ${operationId}::uuid, locked.id, locked.priority
    from (
      select t.id, t.priority
      from tickmark.tasks t
      where t.id = any(${sql.param([...taskIds])}::uuid[]) and t.status = any(${able}::tickmark.task_status[])
      order by t.id
      for update
    ) locked
    on conflict do nothing`);
}

/** Takes an operation back for some of its tasks; one that was changed again since is left alone. @returns how many changed */
export async function takeBack(
  tx: Tx,
  { operationId, taskIds, action, actor }: Batch & { action: BulkAction; actor: string },
): Promise<number> {
  if (action !== 'retry') return restorePriorities(tx, { operationId, taskIds, actor });
  const again = await retryTasks(tx, {
    taskIds: await stillCancelled(tx, { operationId, taskIds }),
    actor,
    reason: 'cancelling taken back',
  });
  await restorePriorities(tx, { operationId, taskIds, actor });
  return again;
}

/** Those that are as the operation left them: what was retried meanwhile has come to another end, or will. */
async function stillCancelled(tx: Tx, { operationId, taskIds }: Batch): Promise<string[]> {
  await lockTasks(tx, taskIds);
  const { rows } = await tx.execute<{ id: string }>(sql`
    /* queue.still_cancelled */
    select t.id
    from tickmark.bulk_operations o
    join tickmark.tasks t on t.id = any(${sql.param([...taskIds])}::uuid[])
    where o.id = ${operationId}::uuid and t.status::text = 'cancelled' and t.finished_at <= o.finished_at`);
  return rows.map(({ id }) => id);
}

async function restorePriorities(
  tx: Tx,
  { operationId, taskIds, actor }: Batch & { actor: string },
): Promise<number> {
  await lockTasks(tx, taskIds);
  const { rows } = await tx.execute(sql`
    /* queue.restore_priorities */
    with changed as (
      update tickmark.tasks t
      set priority = u.priority, blocked_since = null
      from tickmark.bulk_undo u
      join tickmark.bulk_operations o on o.id = u.operation_id
      where u.operation_id = ${operationId}::uuid and u.task_id = any(${sql.param([...taskIds])}::uuid[])
        and t.id = u.task_id and t.priority <> u.priority
        and t.priority = coalesce(o.priority, greatest(u.priority, ${RETRY_PRIORITY}))
        and t.status = any('{enqueued,processing}'::tickmark.task_status[])
      returning t.id, t.status, t.priority
    )
    insert into tickmark.task_events (task_id, from_status, to_status, actor, reason)
    select id, status, status, ${actor}, 'priority ' || priority || ', as it was' from changed
    returning id`);
  return rows.length;
}
