import { type SQL, sql } from 'drizzle-orm';
import type { AttemptTrace } from '@/lib/contract/api';
import { moneyText } from './sql-values';

/** A trace as {@link traceColumn} gives it. */
export interface TraceRow {
  readonly status: AttemptTrace['status'];
  readonly calls: number | null;
  readonly input: number | null;
  readonly cached: number | null;
  readonly output: number | null;
  readonly usd: string | null;
  readonly differs: boolean;
  readonly reported: {
    readonly input: number;
    readonly cached: number;
    readonly output: number;
    readonly usd: string | null;
  } | null;
}

/** What is known of the trace `r` of attempt `a` as JSON; null where its run was not told to record one. */
export const traceColumn: SQL = sql`
  case when r.attempt_id is not null then jsonb_build_object(
    'status', r.status, 'calls', r.model_calls,
    'input', r.input_tokens, 'cached', r.cached_input_tokens, 'output', r.output_tokens,
    'usd', ${moneyText(sql`r.llm_cost_usd`)},
    'differs', r.differs,
    'reported', case when a.usage is not null and r.read_at is not null then jsonb_build_object(
      'input', a.usage->'inputTokens', 'cached', a.usage->'cachedInputTokens', 'output', a.usage->'outputTokens',
      'usd', ${moneyText(sql`r.callback_cost_usd`)}
    ) end
  ) end`;

export function toTrace(row: TraceRow, url: string | null): AttemptTrace {
  const { status, calls, input, cached, output, usd, differs, reported } = row;
  return {
    status,
    // Of a trace that is not there yet there is no page.
    url: calls === null ? null : url,
    modelCalls: calls,
    inputTokens: input,
    cachedInputTokens: cached,
    outputTokens: output,
    llmCostUsd: usd,
    differs,
    reported: reported && {
      inputTokens: reported.input,
      cachedInputTokens: reported.cached,
      outputTokens: reported.output,
      llmCostUsd: reported.usd,
    },
  };
}
