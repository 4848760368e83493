import { sql } from 'drizzle-orm';
import type { Callback, Usage } from '@/lib/contract/callback';
import type { Tx } from '@/lib/db/client';

/** What a usage costs, in US dollars as a decimal string; null = no price is known for its model. */
export type PriceUsage = (tx: Tx, usage: Usage) => Promise<string | null>;

/**
 * Notes what an attempt says of itself: a sign of life, its progress, its usage, whether its run has ended. Usage is
 * cumulative, so a later report replaces an earlier one and costs are never added up; one that arrives out of order
 * (lower than what is known, or after the final report) changes nothing. Without a price the reported cost counts.
 */
export async function recordReport(
  tx: Tx,
  attemptId: string,
  callback: Callback,
  priceUsage: PriceUsage,
): Promise<void> {
  const final = callback.type !== 'attempt.progress';
  const progress = callback.type === 'attempt.progress' ? callback.progress : null;
  await tx.execute(sql`
    /* queue.record_report */
    update tickmark.task_attempts
    set last_sign_at = clock_timestamp(),
      trace_id = coalesce(${callback.traceId}, trace_id),
      run_id = case when status in ('claimed', 'running') then run_id else coalesce(run_id, ${callback.runId}) end,
      progress_done = greatest(progress_done, ${progress?.done ?? null}::integer),
      progress_total = coalesce(${progress?.total ?? null}::integer, progress_total),
      run_stopped_at = case when ${final} then coalesce(run_stopped_at, clock_timestamp()) else run_stopped_at end
    where id = ${attemptId}::uuid`);
  if (callback.usage)
    await recordUsage(tx, attemptId, callback.usage, final, await priceUsage(tx, callback.usage));
}

async function recordUsage(
  tx: Tx,
  attemptId: string,
  usage: Usage,
  final: boolean,
  priced: string | null,
): Promise<void> {
  await tx.execute(sql`
    /* queue.record_usage */
    update tickmark.task_attempts
    set model = coalesce(${usage.model}, model),
      input_tokens = ${usage.inputTokens},
      cached_input_tokens = ${usage.cachedInputTokens},
      cache_write_tokens = ${usage.cacheWriteTokens},
      output_tokens = ${usage.outputTokens},
      reported_cost_usd = ${usage.costUsd}::numeric,
      llm_cost_usd = coalesce(${priced}::numeric, ${usage.costUsd}::numeric),
      usage = ${JSON.stringify(usage)}::jsonb,
      usage_final = ${final}
    where id = ${attemptId}::uuid
      and not usage_final
      and (${final} or coalesce(input_tokens + output_tokens, 0) <= ${usage.inputTokens + usage.outputTokens}::bigint)`);
}
