import { sql } from 'drizzle-orm';
import type { Callback, CallbackAnswer, Usage } from '@/lib/contract/callback';
import type { Tx } from '@/lib/db/client';

/** What usages cost, one by one, in US dollars as decimal strings; null = no price is known for the model. */
export type PriceUsages = (tx: Tx, usages: readonly Usage[]) => Promise<readonly (string | null)[]>;

/** A delivery that is acted on, with the answer that it gets now and ever after. */
export interface Report {
  readonly attemptId: string;
  readonly webhookId: string;
  readonly callback: Callback;
  readonly answer: CallbackAnswer;
}

/**
 * Notes what attempts say of themselves, one report each: a sign of life, progress, usage, whether the run has ended;
 * and the answers. Usage is cumulative, so a later report replaces an earlier one and costs are never added up; one
 * that arrives out of order (lower than what is known, or after the final report) changes nothing. Without a price the
 * reported cost counts. Callers hold the locks of the attempts' tasks.
 */
export async function recordReports(
  tx: Tx,
  reports: readonly Report[],
  priceUsages: PriceUsages,
): Promise<void> {
  if (reports.length === 0) return;
  const usages = reports.flatMap(({ callback }) => callback.usage ?? []);
  const prices = usages.length > 0 ? await priceUsages(tx, usages) : [];
  const priceOf = new Map(usages.map((usage, n) => [usage, prices[n] ?? null]));
  const rows = reports.map((report) => toRow(report, priceOf));
  await tx.execute(sql`
    /* queue.record_reports */
    with report as materialized (
      select r.*,
        r.usage is not null and not a.usage_final
          and (r.final or coalesce(a.input_tokens + a.output_tokens, 0) <= r.input + r.output) as counts
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
        attempt_id uuid, webhook_id text, outcome text, stop boolean, final boolean, trace_id text, run_id text,
        done integer, total integer, usage jsonb, model text, input bigint, cached bigint, written bigint,
        output bigint, reported numeric, priced numeric
      )
      join tickmark.task_attempts a on a.id = r.attempt_id
    ),
    answered as (
      insert into tickmark.callback_deliveries (attempt_id, webhook_id, outcome, stop)
      select attempt_id, webhook_id, outcome, stop from report
    )
    update tickmark.task_attempts a
    set last_sign_at = clock_timestamp(),
      trace_id = coalesce(r.trace_id, a.trace_id),
      run_id = case when a.status in ('claimed', 'running') then a.run_id else coalesce(a.run_id, r.run_id) end,
      progress_done = greatest(a.progress_done, r.done),
      progress_total = coalesce(r.total, a.progress_total),
      run_stopped_at = case when r.final then coalesce(a.run_stopped_at, clock_timestamp()) else a.run_stopped_at end,
      model = case when r.counts then coalesce(r.model, a.model) else a.model end,
      input_tokens = case when r.counts then r.input else a.input_tokens end,
      cached_input_tokens = case when r.counts then r.cached else a.cached_input_tokens end,
      cache_write_tokens = case when r.counts then r.written else a.cache_write_tokens end,
      output_tokens = case when r.counts then r.output else a.output_tokens end,
      reported_cost_usd = case when r.counts then r.reported else a.reported_cost_usd end,
      llm_cost_usd = case when r.counts then coalesce(r.priced, r.reported) else a.llm_cost_usd end,
      usage = case when r.counts then r.usage else a.usage end,
      usage_final = case when r.counts then r.final else a.usage_final end
    from report r
    where a.id = r.attempt_id`);
}

function toRow({ attemptId, webhookId, callback, answer }: Report, priceOf: Map<Usage, string | null>) {
  const { usage } = callback;
  const progress = callback.type === 'attempt.progress' ? callback.progress : null;
  return {
    attempt_id: attemptId,
    webhook_id: webhookId,
    outcome: answer.outcome,
    stop: answer.stop,
    final: callback.type !== 'attempt.progress',
    trace_id: callback.traceId,
    run_id: callback.runId,
    done: progress?.done ?? null,
    total: progress?.total ?? null,
    usage,
    model: usage?.model ?? null,
    input: usage?.inputTokens ?? null,
    cached: usage?.cachedInputTokens ?? null,
    written: usage?.cacheWriteTokens ?? null,
    output: usage?.outputTokens ?? null,
    reported: usage?.costUsd ?? null,
    priced: usage ? (priceOf.get(usage) ?? null) : null,
  };
}
