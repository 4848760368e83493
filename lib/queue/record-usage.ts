import { type SQL, sql } from 'drizzle-orm';
import type { Callback, CallbackAnswer, Usage } from '@/lib/contract/callback';
import type { Tx } from '@/lib/db/client';

/** What usages cost, one by one, in US dollars as decimal strings; null = no price is known for the model. */
export type PriceUsages = (tx: Tx, usages: readonly Usage[]) => Promise<readonly (string | null)[]>;

/** A delivery that is acted on, with the answer that it gets now and ever after. */
export interface Report {
  readonly taskId: string;
  readonly attemptId: string;
  readonly webhookId: string;
  readonly callback: Callback;
  readonly answer: CallbackAnswer;
}

/**
 * Notes what attempts say of themselves, one report each: a sign of life, progress, usage, whether the run has ended;
 * and the answers. Callers hold the locks of the attempts' tasks.
 */
export async function recordReports(
  tx: Tx,
  reports: readonly Report[],
  priceUsages: PriceUsages,
): Promise<void> {
  if (reports.length === 0) return;
  const source = await reportRows(tx, reports, priceUsages);
  await tx.execute(sql`
    /* queue.record_reports */
    with report as materialized (select * from ${source}),
    answered as (
      insert into tickmark.callback_deliveries (attempt_id, webhook_id, outcome, stop)
      select attempt_id, webhook_id, outcome, stop from report
    )
    update tickmark.task_attempts a
    set ${REPORTED}
    from report r
    where a.id = r.attempt_id`);
}

/** What earlier reports came to. Once a whole trace has given the figures, reports are measured by what they said themselves. */
const KNOWN = sql`case
  when a.trace_settled then coalesce((a.usage->>'inputTokens')::bigint + (a.usage->>'outputTokens')::bigint, 0)
  else coalesce(a.input_tokens + a.output_tokens, 0)
end`;

/** Usage is cumulative: one that arrives out of order (lower than what is known, or after the final one) is none. */
const COUNTS = sql`(
  r.usage is not null and not a.usage_final and (r.final or ${KNOWN} <= r.input + r.output)
)`;

/** Reports are provisional: the figures of a whole trace stay. */
const SETS_FIGURES = sql`(not a.trace_settled and ${COUNTS})`;

/**
 * The columns of attempt `a` that report `r` (of {@link reportRows}) changes. A later usage replaces an earlier one, so
 * costs are never added up. Without a price the reported cost counts.
 */
export const REPORTED: SQL = sql`
  last_sign_at = clock_timestamp(),
  trace_id = coalesce(r.trace_id, a.trace_id),
  run_id = case when a.status in ('claimed', 'running') then a.run_id else coalesce(a.run_id, r.run_id) end,
  progress_done = greatest(a.progress_done, r.done),
  progress_total = coalesce(r.total, a.progress_total),
  run_stopped_at = case when r.final then coalesce(a.run_stopped_at, clock_timestamp()) else a.run_stopped_at end,
  model = case when ${SETS_FIGURES} then coalesce(r.model, a.model) else a.model end,
  input_tokens = case when ${SETS_FIGURES} then r.input else a.input_tokens end,
  cached_input_tokens = case when ${SETS_FIGURES} then r.cached else a.cached_input_tokens end,
  cache_write_tokens = case when ${SETS_FIGURES} then r.written else a.cache_write_tokens end,
  output_tokens = case when ${SETS_FIGURES} then r.output else a.output_tokens end,
  reported_cost_usd = case when ${COUNTS} then r.reported else a.reported_cost_usd end,
  llm_cost_usd = case when ${SETS_FIGURES} then coalesce(r.priced, r.reported) else a.llm_cost_usd end,
  usage = case when ${COUNTS} then r.usage else a.usage end,
  usage_final = case when ${COUNTS} then r.final else a.usage_final end`;

/**
 * Reports as rows, to be put behind a `from`. Arrays, not JSON: read several times as fast. `result` and `confidence`
 * are null but for a success.
 */
export async function reportRows(tx: Tx, reports: readonly Report[], priceUsages: PriceUsages): Promise<SQL> {
  const reported = reports.filter(({ callback }) => callback.usage);
  const models = await readModels(tx, reported);
  const usages = reported.map(({ attemptId, callback }) => {
    const usage = callback.usage as Usage;
    return { ...usage, model: usage.model ?? models.get(attemptId) ?? null };
  });
  const prices = usages.length > 0 ? await priceUsages(tx, usages) : [];
  const priceOf = new Map(reported.map((report, n) => [report, prices[n] ?? null]));
  const array = (of: (report: Report) => unknown) => sql.param(reports.map(of));
  const usageOf = ({ callback }: Report) => callback.usage;
  const progressOf = ({ callback }: Report) =>
    callback.type === 'attempt.progress' ? callback.progress : null;
  const resultOf = ({ callback }: Report) => (callback.type === 'attempt.succeeded' ? callback.result : null);
  return sql`unnest(
      ${array((r) => r.taskId)}::uuid[], ${array((r) => r.attemptId)}::uuid[], ${array((r) => r.webhookId)}::text[],
      ${array((r) => r.answer.outcome)}::text[], ${array((r) => r.answer.stop)}::boolean[],
      ${array((r) => r.callback.type !== 'attempt.progress')}::boolean[],
      ${array((r) => r.callback.traceId)}::text[], ${array((r) => r.callback.runId)}::text[],
      ${array((r) => progressOf(r)?.done)}::integer[], ${array((r) => progressOf(r)?.total)}::integer[],
      ${array((r) => json(usageOf(r)))}::jsonb[], ${array((r) => usageOf(r)?.model)}::text[],
      ${array((r) => usageOf(r)?.inputTokens)}::bigint[], ${array((r) => usageOf(r)?.cachedInputTokens)}::bigint[],
      ${array((r) => usageOf(r)?.cacheWriteTokens)}::bigint[], ${array((r) => usageOf(r)?.outputTokens)}::bigint[],
      ${array((r) => usageOf(r)?.costUsd)}::numeric[], ${array((r) => priceOf.get(r))}::numeric[],
      ${array((r) => json(resultOf(r)))}::jsonb[], ${array((r) => storableConfidence(resultOf(r)?.confidence))}::real[]
    ) as r (
      task_id, attempt_id, webhook_id, outcome, stop, final, trace_id, run_id, done, total, usage, model, input, cached,
      written, output, reported, priced, result, confidence
    )`;
}

/** The models that attempts have named before, of those whose report names none: a last word need not repeat it. */
async function readModels(tx: Tx, reports: readonly Report[]): Promise<ReadonlyMap<string, string>> {
  const unnamed = reports.flatMap(({ attemptId, callback }) => (callback.usage?.model ? [] : [attemptId]));
  if (unnamed.length === 0) return new Map();
  const { rows } = await tx.execute<{ id: string; model: string }>(sql`
    /* queue.models */
    select id, model from tickmark.task_attempts
    where id = any(${sql.param(unnamed)}::uuid[]) and model is not null`);
  return new Map(rows.map(({ id, model }) => [id, model]));
}

const json = (value: unknown) => (value ? JSON.stringify(value) : null);

/** `real` refuses what is too small for it, such as 1e-300. */
export function storableConfidence(confidence: number | null | undefined): number | null {
  return confidence == null ? null : Math.round(confidence * 1e6) / 1e6;
}
