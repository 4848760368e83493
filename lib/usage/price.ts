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
 * What usages cost at the prices in force now, one by one, in US dollars as exact decimal strings. Null where the model
 * has no price: unpriced, never 0.
 */
export async function priceUsages(db: Queryable, usages: readonly Usage[]): Promise<(string | null)[]> {
  const prices: (string | null)[] = usages.map(() => null);
  const known = usages.flatMap((usage, n) =>
    usage.model === null ? [] : [{ n, model: usage.model, ...classifyTokens(usage) }],
  );
  if (known.length === 0) return prices;
  const { rows } = await db.execute<{ n: number; usd: string }>(sql`
    /* usage.price */
    select u.n, least(999999999999, round((
        u."freshInput" * p.input_usd_per_million
      + u."cachedInput" * p.cached_input_usd_per_million
      + u."cacheWrite" * p.cache_write_usd_per_million
      + u.output * p.output_usd_per_million
    ) / 1000000, 12))::text as usd
    from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as u (
      n integer, model text, "freshInput" numeric, "cachedInput" numeric, "cacheWrite" numeric, output numeric
    )
    cross join lateral (
      select * from tickmark.model_prices
      where model = u.model and valid_from <= clock_timestamp()
      order by valid_from desc
      limit 1
    ) p`);
  for (const { n, usd } of rows) prices[n] = usd;
  return prices;
}

/** {@link priceUsages} for one. */
export async function priceUsage(db: Queryable, usage: Usage): Promise<string | null> {
  const [price] = await priceUsages(db, [usage]);
  return price ?? null;
}
