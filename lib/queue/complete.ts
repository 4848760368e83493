import { sql } from 'drizzle-orm';
import type { Tx } from '@/lib/db/client';
import { type PriceUsages, REPORTED, type Report, reportRows } from './record-usage';

/**
 * Completes tasks whose live attempts report success, in one statement: report, answer, task, attempt and history. It is
 * what the queue does most, so nothing is read twice and no row written twice. All else goes through `moveTasks`.
 * Callers hold the tasks' locks and have made sure that each attempt is its task's current one.
 */
export async function completeTasks(
  tx: Tx,
  reports: readonly Report[],
  priceUsages: PriceUsages,
): Promise<void> {
  if (reports.length === 0) return;
  const source = await reportRows(tx, reports, priceUsages);
  // The status as text, so that the partial index of all that is in processing does not look like a way to the rows.
  const { rows } = await tx.execute(sql`
    /* queue.complete */
    with report as materialized (select * from ${source}),
    done as (
      update tickmark.tasks t
      set status = 'completed', current_attempt_id = null, lease_expires_at = null, finished_at = clock_timestamp(),
        result = r.result, confidence = r.confidence, error_code = null, error_message = null, lost_count = 0
      from report r
      where t.id = r.task_id and t.current_attempt_id = r.attempt_id
        and t.status::text = 'processing'
      returning t.id, r.attempt_id
    ),
    ended as (
      update tickmark.task_attempts a
      set status = 'succeeded', finished_at = clock_timestamp(), error_code = null, error_message = null, ${REPORTED}
      from report r
      where a.id = r.attempt_id
    ),
    answered as (
      insert into tickmark.callback_deliveries (attempt_id, webhook_id, outcome, stop)
      select attempt_id, webhook_id, outcome, stop from report
    )
    insert into tickmark.task_events (task_id, attempt_id, from_status, to_status, actor, reason)
    select id, attempt_id, 'processing', 'completed', 'agent', 'succeeded' from done
    returning id`);
  if (rows.length !== reports.length)
    throw new Error('a task that was to be completed has changed under its lock');
}
