import 'server-only';
import { sql } from 'drizzle-orm';
import type { Attempt, TaskEvent } from '@/lib/contract/api';
import type { Queryable } from '@/lib/db/client';
import { isoInstant, isWaste, moneyText } from './sql-values';
import { progressOf } from './task-row';
import { type TraceRow, toTrace, traceColumn } from './trace-column';

interface AttemptRow extends Record<string, unknown> {
  id: string;
  number: number;
  status: Attempt['status'];
  current: boolean;
  agent_version: number;
  claimed_by: string;
  run_id: string | null;
  trace_id: string | null;
  trace: TraceRow | null;
  model: string | null;
  notional: boolean;
  progress_done: number | null;
  progress_total: number | null;
  input_tokens: string | null;
  cached_input_tokens: string | null;
  cache_write_tokens: string | null;
  output_tokens: string | null;
  llm_cost_usd: string | null;
  compute_cost_usd: string | null;
  waste: boolean;
  error_code: string | null;
  error_message: string | null;
  callbacks: Attempt['callbacks'] | null;
  claimed_at: string;
  dispatched_at: string | null;
  work_ended_at: string | null;
  finished_at: string | null;
  run_stopped_at: string | null;
}

/** The page of a trace in MLflow's own interface; null where there is none. */
export type TraceUrl = (traceId: string) => string | null;

/** All attempts of a task, in their order. */
export async function readAttempts(db: Queryable, taskId: string, traceUrl: TraceUrl): Promise<Attempt[]> {
  const { rows } = await db.execute<AttemptRow>(sql`
    /* dashboard.attempts */
    select a.id, a.number, a.status, a.id is not distinct from t.current_attempt_id as current, a.agent_version,
      a.claimed_by, a.run_id, a.trace_id, ${traceColumn} as trace, a.model, a.progress_done, a.progress_total,
      a.input_tokens, a.cached_input_tokens, a.cache_write_tokens, a.output_tokens,
      ${moneyText(sql`a.llm_cost_usd`)} as llm_cost_usd,
      ${moneyText(sql`a.compute_cost_usd`)} as compute_cost_usd,
      ${isWaste} as waste,
      exists (select from tickmark.model_prices p where p.model = a.model and p.notional) as notional,
      a.error_code, a.error_message,
      -- The one that completed the task is noted with the attempt instead of a row of its own.
      (
        select jsonb_agg(jsonb_build_object('at', ${isoInstant(sql`c.at`)}, 'outcome', c.outcome) order by c.at)
        from (
          select d.received_at as at, d.outcome from tickmark.callback_deliveries d where d.attempt_id = a.id
          union all
          select a.finished_at, 'applied' where a.completed_by is not null
          order by at desc
          limit 100
        ) c
      ) as callbacks,
      ${isoInstant(sql`a.claimed_at`)} as claimed_at,
      ${isoInstant(sql`a.dispatched_at`)} as dispatched_at,
      a.usage ->> 'endedAt' as work_ended_at,
      ${isoInstant(sql`a.finished_at`)} as finished_at,
      ${isoInstant(sql`a.run_stopped_at`)} as run_stopped_at
    from tickmark.task_attempts a
    join tickmark.tasks t on t.id = a.task_id
    left join tickmark.attempt_traces r on r.attempt_id = a.id
    where a.task_id = ${taskId}::uuid
    order by a.number`);
  return rows.map((row) => toAttempt(row, traceUrl));
}

function toAttempt(row: AttemptRow, traceUrl: TraceUrl): Attempt {
  const count = (value: string | null) => (value === null ? null : Number(value));
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    current: row.current,
    agentVersion: row.agent_version,
    claimedBy: row.claimed_by,
    runId: row.run_id,
    traceId: row.trace_id,
    trace: row.trace && toTrace(row.trace, row.trace_id === null ? null : traceUrl(row.trace_id)),
    model: row.model,
    notionalPrice: row.notional,
    progress: progressOf(row),
    inputTokens: count(row.input_tokens),
    cachedInputTokens: count(row.cached_input_tokens),
    cacheWriteTokens: count(row.cache_write_tokens),
    outputTokens: count(row.output_tokens),
    llmCostUsd: row.llm_cost_usd,
    computeCostUsd: row.compute_cost_usd,
    waste: row.waste,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    callbacks: row.callbacks ?? [],
    claimedAt: row.claimed_at,
    dispatchedAt: row.dispatched_at,
    workEndedAt: row.work_ended_at,
    finishedAt: row.finished_at,
    runStoppedAt: row.run_stopped_at,
  };
}

interface EventRow extends Record<string, unknown> {
  id: string;
  attempt_id: string | null;
  at: string;
  from_status: TaskEvent['fromStatus'];
  to_status: TaskEvent['toStatus'];
  actor: string;
  reason: string;
}

/** The newest thousand events of a task, oldest first; nobody reads more, and a page must not grow without end. */
export async function readEvents(db: Queryable, taskId: string): Promise<TaskEvent[]> {
  const { rows } = await db.execute<EventRow>(sql`
    /* dashboard.events */
    select e.id::text as id, e.attempt_id, ${isoInstant(sql`e.at`)} as at, e.from_status, e.to_status, e.actor, e.reason
    from tickmark.task_events e
    where e.task_id = ${taskId}::uuid
    order by e.id desc
    limit 1000`);
  return rows.reverse().map((row) => ({
    id: row.id,
    attemptId: row.attempt_id,
    at: row.at,
    fromStatus: row.from_status,
    toStatus: row.to_status,
    actor: row.actor,
    reason: row.reason,
  }));
}
