import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import type { ClaimedTask } from './claim';

/** Beyond an agent's `max_run_seconds` the runner has so long to end a run by itself. */
const DEADLINE_GRACE_SECONDS = 30;

/** A task in `processing` whose lease had run out, taken by whoever asks now. */
export interface TakenTask {
  readonly taskId: string;
  /** null: it has no live attempt, somebody set its status by hand. */
  readonly attempt: (ClaimedTask & { readonly runId: string | null; readonly pastDeadline: boolean }) | null;
}

/**
 * Takes tasks whose lease has run out, by giving each a new one: of several sweepers each gets others, and what one
 * takes and then dies with is taken again one lease later. Nothing about the task changes yet.
 */
export async function takeExpired(
  db: Queryable,
  { leaseSeconds, limit }: { leaseSeconds: number; limit: number },
): Promise<TakenTask[]> {
  const { rows } = await db.execute<{
    task_id: string;
    attempt_id: string | null;
    number: number;
    agent_id: string;
    agent_version: number;
    document_id: string | null;
    input: unknown;
    trace_id: string;
    max_run_seconds: number;
    priority: number;
    run_id: string | null;
    past_deadline: boolean;
  }>(sql`
    /* queue.take_expired */
    with expired as materialized (
      select id from tickmark.tasks
      where status = 'processing' and (lease_expires_at is null or lease_expires_at <= clock_timestamp())
      limit ${limit}
      for update skip locked
    ),
    taken as (
      update tickmark.tasks t
      set lease_expires_at = clock_timestamp() + make_interval(secs => coalesce(g.lease_seconds, ${leaseSeconds}::float8))
      from expired, tickmark.agents g
      where t.id = expired.id and g.id = t.agent_id
      returning t.id, t.agent_id, t.document_id, t.input, t.priority, t.current_attempt_id, g.max_run_seconds
    )
    select t.id as task_id, a.id as attempt_id, a.number, t.agent_id, a.agent_version, t.document_id, t.input,
      a.trace_id, t.max_run_seconds, t.priority, a.run_id,
      coalesce(a.dispatched_at, a.claimed_at)
        + make_interval(secs => t.max_run_seconds + ${DEADLINE_GRACE_SECONDS}::float8) < clock_timestamp() as past_deadline
    from taken t
    left join tickmark.task_attempts a on a.id = t.current_attempt_id and a.status in ('claimed', 'running')`);
  return rows.map((row) => ({
    taskId: row.task_id,
    attempt: row.attempt_id
      ? {
          taskId: row.task_id,
          attemptId: row.attempt_id,
          number: row.number,
          agentId: row.agent_id,
          agentVersion: row.agent_version,
          documentId: row.document_id,
          input: row.input,
          traceId: row.trace_id,
          maxRunSeconds: row.max_run_seconds,
          priority: row.priority,
          runId: row.run_id,
          pastDeadline: row.past_deadline,
        }
      : null,
  }));
}
