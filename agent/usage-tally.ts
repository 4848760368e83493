import { z } from 'zod';
import type { Usage } from '@/lib/contract/callback';
import type { ModelPrice } from '@/lib/contract/run-input';
import { type CallTokens, costOf, sumOfCosts } from './call-cost';

/** One call to the model; `raw` is the provider's usage untouched, null when it gave none. */
export interface ModelCall {
  readonly purpose: string;
  readonly model: string;
  readonly seconds: number;
  readonly raw: RawUsage | null;
  /** Counted here where the provider gave no usage. */
  readonly estimatedTokens: { readonly input: number; readonly output: number };
}

const Count = z.number().nullish();

/** What OpenAI-compatible endpoints call their counts; some add a count of tokens written to a cache. All is kept. */
export const RawUsage = z.looseObject({
  prompt_tokens: Count,
  completion_tokens: Count,
  prompt_tokens_details: z.looseObject({ cached_tokens: Count }).nullish(),
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
});
export type RawUsage = z.infer<typeof RawUsage>;

/** Calls listed one by one; beyond it only the sums go on. */
const MAX_CALLS_LISTED = 1_000;

/** What a call used, as the provider says or, where it gave no usage, as counted here. */
export function tokensOf({ raw, estimatedTokens }: ModelCall): CallTokens {
  const cached = count(raw?.prompt_tokens_details?.cached_tokens ?? raw?.cache_read_input_tokens);
  const written = count(raw?.cache_creation_input_tokens);
  return {
    // Some count only fresh tokens as prompt tokens; ours include cached and written ones.
    inputTokens: Math.max(count(raw?.prompt_tokens ?? estimatedTokens.input), cached + written),
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    outputTokens: count(raw?.completion_tokens ?? estimatedTokens.output),
  };
}

/**
 * Adds calls up to the cumulative usage of an attempt. Its cost is the sum of what each call costs at `prices`, and null
 * where one of them has no price.
 */
export function tallyUsage(calls: readonly ModelCall[], prices: readonly ModelPrice[] = []): Usage {
  const usage: Usage = {
    model: calls.at(-1)?.model ?? null,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    costUsd: sumOfCosts(calls.map((call) => costOf(call.model, tokensOf(call), prices)?.total ?? null)),
    calls: calls.slice(0, MAX_CALLS_LISTED).map(({ purpose, model, seconds, raw }) => ({
      purpose,
      model,
      seconds,
      usage: raw,
    })),
  };
  for (const call of calls) {
    const tokens = tokensOf(call);
    usage.inputTokens += tokens.inputTokens;
    usage.cachedInputTokens += tokens.cachedInputTokens;
    usage.cacheWriteTokens += tokens.cacheWriteTokens;
    usage.outputTokens += tokens.outputTokens;
  }
  return usage;
}

function count(value: number | null | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}
