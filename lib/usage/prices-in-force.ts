import { sql } from 'drizzle-orm';
import type { ModelPrice } from '@/lib/contract/run-input';
import type { Queryable } from '@/lib/db/client';

/** More models than anybody has prices of. */
const MOST = 1_000;

/** The price of each model as of now, for a run that says itself what its calls cost. */
export async function pricesInForce(db: Queryable): Promise<ModelPrice[]> {
  const { rows } = await db.execute<{ [column: string]: string }>(sql`
    /* usage.prices_in_force */
    select distinct on (model) model, input_usd_per_million as input, cached_input_usd_per_million as cached,
      cache_write_usd_per_million as written, output_usd_per_million as output
    from tickmark.model_prices
    where valid_from <= clock_timestamp()
    order by model, valid_from desc
    limit ${MOST}`);
  return rows.map(({ model = '', input = '', cached = '', written = '', output = '' }) => ({
    model,
    input,
    cachedInput: cached,
    cacheWrite: written,
    output,
  }));
}
