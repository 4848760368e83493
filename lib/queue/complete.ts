import { sql } from 'drizzle-orm';
import type { Tx } from '@/lib/db/client';
import { type PriceUsages, REPORTED, type Report, reportRows } from './record-usage';
import { noteSteps } from './steps-taken';

/**
 * Completes those tasks whose live attempt reports its success here, in one statement: task, attempt, report and history. It is what the queue does most, so nothing is read before and no row is written twice: the fence is in the
 * update itself, whose row locks are taken in the order of the tasks' ids. Whatever does not fit (a task that has gone on,
 * a cancel, a delivery known already) is left as it is.
 * @param reports of successes, at most one of each task
 * @returns the attempts that have completed their tasks
 */
export async function completeTasks(
  tx: Tx,
  reports: readonly Report[],
  priceUsages: PriceUsages,
): Promise<ReadonlySet<string>> {
  if (reports.length === 0) return new Set();
  const inOrder = [...reports].sort((a, b) => (a.taskId < b.taskId ? -1 : 1));
  const source = await reportRows(tx, inOrder, priceUsages);
  // The status as text, so that the partial index of all that is in processing does not look like a way to the rows.
  const { rows } = await tx.execute<{ attempt_id: string }>(sql`
    /* queue.complete */
    with report as materialized (select * from ${source}),
    done as (
      update tickmark.tasks t
      set status = 'completed', current_attempt_id = null, lease_expires_at = null, finished_at = clock_timestamp(),
        result = r.result, confidence = r.confidence, error_code = null, error_message = null, lost_count = 0
      from report r
      where t.id = r.task_id and t.current_attempt_id = r.attempt_id and t.status::text = 'processing'
        and t.cancel_requested_at is null
        and not exists (
          select from tickmark.callback_deliveries d
          where d.attempt_id = r.attempt_id and d.webhook_id = r.webhook_id
        )
      returning t.id, r.*
    ),
    ended as (
      update tickmark.task_attempts a
      set status = 'succeeded', finished_at = clock_timestamp(), error_code = null, error_message = null,
        completed_by = r.webhook_id, ${REPORTED}
      from done r
      where a.id = r.attempt_id
    )
    insert into tickmark.task_events (task_id, attempt_id, from_status, to_status, actor, reason)
    select id, attempt_id, 'processing', 'completed', 'agent', 'succeeded' from done
    returning attempt_id`);
  noteSteps('complete', rows.length);
  return new Set(rows.map((row) => row.attempt_id));
}
