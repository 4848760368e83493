import type { MetricsPoint } from '@/lib/contract/api-metrics';
import type { QuantileRow } from './exact';
import type { BucketSums, Gathered } from './gathered';

/** Points that were made before: a bucket that nothing was added to is the same object as the last time. */
const made = new WeakMap<BucketSums, MetricsPoint>();

/** The points of a chart, ascending; buckets without tasks are left out. */
export function toSeries(
  { buckets }: Gathered,
  quantiles: ReadonlyMap<number | null, QuantileRow> | null,
): MetricsPoint[] {
  return [...buckets]
    .filter(([, { tally }]) => tally.tasks > 0)
    .sort(([a], [b]) => a - b)
    .map(([ms, sums]) => {
      if (quantiles) return toPoint(ms, sums, quantiles.get(ms));
      const point = made.get(sums) ?? toPoint(ms, sums, undefined);
      made.set(sums, point);
      return point;
    });
}

function toPoint(ms: number, { tally, agents }: BucketSums, exact: QuantileRow | undefined): MetricsPoint {
  return {
    at: new Date(ms).toISOString(),
    counts: tally.counts,
    inputTokens: tally.inputTokens.toNumber(),
    outputTokens: tally.outputTokens.toNumber(),
    llmCostUsd: tally.llmCostUsd.toFixed(),
    ...tally.response(exact),
    agents: [...agents]
      .filter(([, one]) => !one.tasks.isZero)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([agent, one]) => ({
        agent,
        inputTokens: one.inputTokens.toNumber(),
        outputTokens: one.outputTokens.toNumber(),
        llmCostUsd: one.llmCostUsd.toFixed(),
      })),
  };
}
