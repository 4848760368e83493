import { sql } from 'drizzle-orm';
import type { Usage } from '@/lib/contract/callback';
import type { Queryable } from '@/lib/db/client';

/** Tokens of one usage in classes that exclude each other; their sum is all input and all output. */
export interface TokenClasses {
  readonly freshInput: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/**
 * Splits reported tokens so that none is paid for twice. `inputTokens` includes cached and written ones; an agent that
 * reports more of these than input has not included them, and then they come on top.
 */
export function classifyTokens(
  usage: Pick<Usage, 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'outputTokens'>,
): TokenClasses {
  const special = usage.cachedInputTokens + usage.cacheWriteTokens;
  return {
    freshInput: usage.inputTokens >= special ? usage.inputTokens - special : usage.inputTokens,
    cachedInput: usage.cachedInputTokens,
    cacheWrite: usage.cacheWriteTokens,
    output: usage.outputTokens,
  };
}

/**
 * What a usage costs at the price in force now, in US dollars as an exact decimal string. Null where the model has no
 * price: unpriced, never 0.
 */
export async function priceUsage(db: Queryable, usage: Usage): Promise<string | null> {
  if (usage.model === null) return null;
  const tokens = classifyTokens(usage);
  const { rows } = await db.execute<{ usd: string }>(sql`
    /* usage.price */
    select least(999999999999, round((
        ${tokens.freshInput}::numeric * input_usd_per_million
      + ${tokens.cachedInput}::numeric * cached_input_usd_per_million
      + ${tokens.cacheWrite}::numeric * cache_write_usd_per_million
      + ${tokens.output}::numeric * output_usd_per_million
    ) / 1000000, 12))::text as usd
    from tickmark.model_prices
    where model = ${usage.model} and valid_from <= clock_timestamp()
    order by valid_from desc
    limit 1`);
  return rows[0]?.usd ?? null;
}
