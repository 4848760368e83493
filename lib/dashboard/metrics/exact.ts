import 'server-only';
import { sql } from 'drizzle-orm';
import type { Tx } from '@/lib/db/client';
import { moneyText } from '../sql-values';
import { type Buckets, bucketMs } from './buckets';
import { CHANGED, currentFacts } from './loose';
import type { Span } from './periods';
import type { Selection } from './selection';

/** Medians and percentiles; of all chosen tasks where `at_ms` is null, else of a bucket. */
export interface QuantileRow {
  readonly at_ms: number | null;
  readonly median_response: number | null;
  readonly p90_response: number | null;
  readonly median_cost: string | null;
  readonly p90_cost: string | null;
  readonly median_confidence: number | null;
  readonly p10_confidence: number | null;
}

/** From every single task. The median of an even number of costs is the mean of the two in the middle, exactly: hence from both ends. */
export async function readExactQuantiles(
  tx: Tx,
  range: Span,
  selection: Selection,
  buckets: Buckets,
): Promise<QuantileRow[]> {
  const { rows } = await tx.execute<QuantileRow & Record<string, unknown>>(sql`
    /* dashboard.metrics_exact */
    with ${CHANGED},
    chosen as (
      select ${bucketMs(buckets, sql`s.created_at`)} as at_ms, s.response_seconds, s.llm_cost_usd,
        s.confidence::numeric::float8 as confidence
      from (${currentFacts(range, selection)}) s
    )
    select at_ms,
      percentile_cont(0.5) within group (order by response_seconds) as median_response,
      percentile_cont(0.9) within group (order by response_seconds) as p90_response,
      ${moneyText(sql`(percentile_disc(0.5) within group (order by llm_cost_usd)
        + percentile_disc(0.5) within group (order by llm_cost_usd desc)) / 2`)}
        as median_cost,
      ${moneyText(sql`percentile_disc(0.9) within group (order by llm_cost_usd)`)} as p90_cost,
      percentile_cont(0.5) within group (order by confidence) as median_confidence,
      percentile_cont(0.1) within group (order by confidence) as p10_confidence
    from chosen
    group by grouping sets ((at_ms), ())`);
  return rows;
}
