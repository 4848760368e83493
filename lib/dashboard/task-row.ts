import 'server-only';
import { sql } from 'drizzle-orm';
import type { TaskListItem, TaskStatus } from '@/lib/contract/api';
import { isoInstant, llmCostText, moneyText } from './sql-values';

/** One task as Postgres hands it over: 64-bit numbers are strings there. */
export interface TaskRow extends Record<string, unknown> {
  id: string;
  extraction_id: string | null;
  extraction_name: string | null;
  client: string | null;
  document_id: string | null;
  filename: string | null;
  size_bytes: string | null;
  page_count: number | null;
  agent_id: string;
  status: TaskStatus;
  priority: number;
  attempt_count: number;
  confidence: number | null;
  error_code: string | null;
  error_message: string | null;
  progress_done: number | null;
  progress_total: number | null;
  input_tokens: string;
  output_tokens: string;
  llm_cost_usd: string | null;
  compute_cost_usd: string | null;
  response_seconds: number | null;
  cancel_requested_at: string | null;
  created_at: string;
  finished_at: string | null;
}

/** Columns of a {@link TaskRow} over {@link taskJoins}; `result` is not among them. */
export const taskColumns = sql`
  t.id, t.extraction_id, x.name as extraction_name, x.client, t.document_id, d.filename, d.size_bytes, d.page_count,
  t.agent_id, t.status, t.priority, t.attempt_count, t.confidence, t.error_code, t.error_message,
  c.progress_done, c.progress_total,
  s.input_tokens, s.output_tokens, s.llm_cost_usd, s.compute_cost_usd,
  case when t.status = 'completed' then extract(epoch from t.finished_at - t.created_at)::float8 end
    as response_seconds,
  ${isoInstant(sql`t.cancel_requested_at`)} as cancel_requested_at,
  ${isoInstant(sql`t.created_at`)} as created_at,
  ${isoInstant(sql`t.finished_at`)} as finished_at`;

/** Tasks `t` with extraction `x` and document `d`: what filters and search look at. */
export const taskSource = sql`
  tickmark.tasks t
  left join tickmark.extractions x on x.id = t.extraction_id
  left join tickmark.documents d on d.id = t.document_id`;

/** Beside {@link taskSource}: the current attempt `c` and the sums `s` over all attempts. */
export const taskJoins = sql`
  left join tickmark.task_attempts c on c.id = t.current_attempt_id
  cross join lateral (
    select
      coalesce(sum(a.input_tokens), 0)::text as input_tokens,
      coalesce(sum(a.output_tokens), 0)::text as output_tokens,
      ${llmCostText} as llm_cost_usd,
      ${moneyText(sql`sum(a.compute_cost_usd)`)} as compute_cost_usd
    from tickmark.task_attempts a
    where a.task_id = t.id
  ) s`;

export function toTaskListItem(row: TaskRow): TaskListItem {
  return {
    id: row.id,
    extractionId: row.extraction_id,
    extractionName: row.extraction_name,
    client: row.client,
    documentId: row.document_id,
    filename: row.filename,
    sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
    pageCount: row.page_count,
    agent: row.agent_id,
    status: row.status,
    priority: row.priority,
    attemptCount: row.attempt_count,
    confidence: row.confidence,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    progress: progressOf(row),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    llmCostUsd: row.llm_cost_usd,
    computeCostUsd: row.compute_cost_usd,
    responseSeconds: row.response_seconds,
    cancelRequestedAt: row.cancel_requested_at,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

/** Null unless an agent reported both numbers. */
export function progressOf(row: {
  progress_done: number | null;
  progress_total: number | null;
}): { done: number; total: number } | null {
  return row.progress_done === null || row.progress_total === null
    ? null
    : { done: row.progress_done, total: row.progress_total };
}
