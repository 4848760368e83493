import { sql } from 'drizzle-orm';
import type { Tx } from '@/lib/db/client';

/** Ends that tell of the model's provider, not of the document. */
const OUTAGE_CODES = ['rate_limited', 'model_unavailable'] as const;
const codes = sql.param([...OUTAGE_CODES]);

export function isOutageCode(code: string): boolean {
  return (OUTAGE_CODES as readonly string[]).includes(code);
}

/** What a task has seen of an outage up to an attempt that ends now. */
export interface OutageOfTask {
  /** Since the first of its attempts in a row that ended so; 0 for the first. */
  readonly seconds: number;
  /** How many of these, this one included, had used tokens by then. */
  readonly paidEnds: number;
  /** This one had. */
  readonly isPaid: boolean;
}

/** In a row: up to the newest attempt that ended otherwise, and no further back than an operator's retry. */
export async function readOutageOfTask(
  tx: Tx,
  { taskId, attemptId }: { taskId: string; attemptId: string },
): Promise<OutageOfTask> {
  const { rows } = await tx.execute<{ seconds: number; paid_ends: number; is_paid: boolean }>(sql`
    /* queue.outage_of_task */
    with ends as (
      select a.id, a.finished_at, a.input_tokens + a.output_tokens > 0 as is_paid
      from tickmark.task_attempts a
      where a.task_id = ${taskId}::uuid
        and (a.id = ${attemptId}::uuid or a.error_code = any(${codes}::text[]))
        and a.number > coalesce((
          select max(b.number) from tickmark.task_attempts b
          where b.task_id = ${taskId}::uuid and b.finished_at is not null and b.status <> 'snoozed'
            and (b.error_code = any(${codes}::text[])) is not true
        ), 0)
        and a.claimed_at > coalesce((
          select max(e.at) from tickmark.task_events e
          where e.task_id = ${taskId}::uuid and e.from_status in ('failed', 'cancelled') and e.to_status = 'enqueued'
        ), '-infinity')
    )
    select coalesce(extract(epoch from clock_timestamp() - min(finished_at)), 0)::float8 as seconds,
      (count(*) filter (where is_paid))::int as paid_ends,
      coalesce(bool_or(is_paid) filter (where id = ${attemptId}::uuid), false) as is_paid
    from ends`);
  const row = rows[0];
  return { seconds: row?.seconds ?? 0, paidEnds: row?.paid_ends ?? 0, isPaid: row?.is_paid ?? false };
}

/** Ends of an agent that are looked at. */
const LATEST_ENDS = 64;

/** What an agent's newest attempts say of the model, as of now. */
export interface OutageOfAgent {
  /** Since the first of those that ended so after the newest that succeeded. */
  readonly seconds: number;
  /** Since the newest that succeeded; null = none of the latest did. */
  readonly secondsSinceSuccess: number | null;
}

export async function readOutageOfAgent(tx: Tx, agentId: string): Promise<OutageOfAgent> {
  const { rows } = await tx.execute<{ seconds: number; since_success: number | null }>(sql`
    /* queue.outage_of_agent */
    with latest as (
      select a.status, a.error_code, a.finished_at,
        max(a.finished_at) filter (where a.status = 'succeeded') over () as succeeded_at
      from (
        select x.status, x.error_code, x.finished_at
        from tickmark.task_attempts x
        where x.agent_id = ${agentId} and x.finished_at is not null
          -- As the index of these says it: else all that have ever ended would be read.
          and greatest(x.finished_at, x.run_stopped_at) is not null
        order by greatest(x.finished_at, x.run_stopped_at) desc
        limit ${LATEST_ENDS}
      ) a
    )
    select coalesce(extract(epoch from clock_timestamp() - min(finished_at) filter (
        where error_code = any(${codes}::text[]) and finished_at > coalesce(succeeded_at, '-infinity'))), 0)::float8 as seconds,
      extract(epoch from clock_timestamp() - max(succeeded_at))::float8 as since_success
    from latest`);
  return { seconds: rows[0]?.seconds ?? 0, secondsSinceSuccess: rows[0]?.since_success ?? null };
}
