import { z } from 'zod';
import { Count, Instant, Money, StatusCounts } from './api';

export const MetricsPoint = z
  .object({
    at: Instant.describe('Start of the bucket'),
    counts: StatusCounts,
    inputTokens: Count,
    outputTokens: Count,
    llmCostUsd: Money,
  })
  .meta({ id: 'MetricsPoint' });
export type MetricsPoint = z.infer<typeof MetricsPoint>;

/** Figures over the tasks created in a range; tokens and cost follow their task. */
export const Metrics = z
  .object({
    counts: StatusCounts,
    inputTokens: Count,
    outputTokens: Count,
    llmCostUsd: Money.nullable().describe('null: none of the attempts has a price'),
    unpricedAttempts: Count.describe('Attempts with tokens whose model has no price; not in llmCostUsd'),
    wasteUsd: Money.describe('Part of llmCostUsd: attempts that bought no result'),
    computeCostEstimateUsd: Money.nullable(),
    medianCostUsd: Money.nullable().describe('LLM cost per task, over the tasks that have one'),
    medianResponseSeconds: z.number().nullable().describe('finished_at − created_at, completed tasks'),
    confidence: z.object({
      mean: z.number().nullable(),
      median: z.number().nullable(),
      p10: z.number().nullable(),
      count: Count,
    }),
    bucket: z.enum(['hour', 'day']),
    series: z.array(MetricsPoint),
  })
  .meta({ id: 'Metrics' });
export type Metrics = z.infer<typeof Metrics>;
