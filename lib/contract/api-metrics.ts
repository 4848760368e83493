import { z } from 'zod';
import { Count, Id, Instant, Money, StatusCounts } from './api';
import { TaskFilters } from './api-requests';

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** Filters of the figures; the range is over `tasks.created_at`. */
export const MetricsQuery = TaskFilters.extend({
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin')
    .optional()
    .describe('IANA name: days and months of the series begin at its midnight; default UTC'),
  exact: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('Medians and percentiles from the rows, not from histograms; slow over millions'),
});
export type MetricsQuery = z.infer<typeof MetricsQuery>;

/** Figures over the chosen tasks; tokens and cost follow their task, whenever they were used. */
export const MetricsTotals = z
  .object({
    counts: StatusCounts,
    inputTokens: Count,
    outputTokens: Count,
    llmCostUsd: Money.nullable().describe('null: none of the attempts has a price'),
    unpricedAttempts: Count.describe('Attempts with tokens whose model has no price; not in llmCostUsd'),
    wasteUsd: Money.describe('Part of llmCostUsd: attempts that bought no result'),
    computeCostEstimateUsd: Money.nullable().describe(
      'An estimate: run time of finished runs × COMPUTE_USD_PER_HOUR; null: no rate is set',
    ),
    runSeconds: z.number().describe('Run time of finished runs, all attempts'),
    medianCostUsd: Money.nullable().describe('LLM cost per task, over the tasks that have one'),
    p90CostUsd: Money.nullable(),
    pricedTasks: Count.describe(
      'Tasks with a cost: those that medianCostUsd and p90CostUsd are over. The others have not run, or only unpriced',
    ),
    medianResponseSeconds: z.number().nullable().describe('finished_at − created_at, completed tasks'),
    p90ResponseSeconds: z.number().nullable(),
    confidence: z.object({
      mean: z.number().nullable(),
      median: z.number().nullable(),
      p10: z.number().nullable(),
      count: Count,
    }),
  })
  .meta({ id: 'MetricsTotals' });
export type MetricsTotals = z.infer<typeof MetricsTotals>;

/** One time bucket of tasks, by when they were created. */
export const MetricsPoint = z
  .object({
    at: Instant.describe('Start of the bucket'),
    counts: StatusCounts,
    inputTokens: Count,
    outputTokens: Count,
    llmCostUsd: Money,
    medianResponseSeconds: z.number().nullable(),
    p90ResponseSeconds: z.number().nullable(),
    agents: z
      .array(z.object({ agent: z.string(), inputTokens: Count, outputTokens: Count, llmCostUsd: Money }))
      .describe('Tokens and cost by agent; only agents with tasks in the bucket'),
  })
  .meta({ id: 'MetricsPoint' });
export type MetricsPoint = z.infer<typeof MetricsPoint>;

/** One bar of a distribution: `from` inclusive, `to` exclusive, but for the last one. */
export const DistributionBar = z.object({ from: z.number(), to: z.number(), count: Count });
export type DistributionBar = z.infer<typeof DistributionBar>;

/** How the queue stood: the fullest moment that was looked at within one of at most 501 equal parts of the time, of whole minutes. */
export const QueuePoint = z
  .object({
    at: Instant.describe('When it was looked at'),
    waiting: Count.describe('Tasks enqueued'),
    inFlight: Count.describe('Tasks in processing'),
    oldestSeconds: z.number().describe('Age of the oldest enqueued task; 0: none'),
  })
  .meta({ id: 'QueuePoint' });
export type QueuePoint = z.infer<typeof QueuePoint>;

/** The slow source: what is known of the compute cost that billing tells for these filters. */
export const ComputeCostState = z
  .object({
    id: Id.nullable().describe('Of the newest request with these filters; null: never asked'),
    status: z.enum(['none', 'pending', 'ready', 'failed']),
    source: z.string().nullable().describe('`estimate` or `billing`'),
    computeCostUsd: Money.nullable(),
    requestedAt: Instant.nullable(),
    readyAt: Instant.nullable(),
    message: z.string().nullable().describe('Why it failed, or what the amount does not hold'),
  })
  .meta({ id: 'ComputeCostState' });
export type ComputeCostState = z.infer<typeof ComputeCostState>;

/** `POST /api/v1/metrics/compute-cost` */
export const ComputeCostAccepted = z.object({ id: Id }).meta({ id: 'ComputeCostAccepted' });
export type ComputeCostAccepted = z.infer<typeof ComputeCostAccepted>;

/** `GET /api/v1/metrics/compute-cost/{id}` */
export const ComputeCostAnswer = z
  .object({
    status: z.enum(['pending', 'ready', 'failed']),
    computeCostUsd: Money.optional(),
    source: z.string().optional().describe('`estimate` or `billing`'),
    readyAt: Instant.optional(),
    message: z.string().optional().describe('Why it failed'),
  })
  .meta({ id: 'ComputeCostAnswer' });
export type ComputeCostAnswer = z.infer<typeof ComputeCostAnswer>;

/** Everything the overview shows, under one set of filters. */
export const Metrics = MetricsTotals.extend({
  approximate: z
    .boolean()
    .describe('Medians, percentiles: from histograms, within 2 %; counts, tokens and money are always exact'),
  computeCost: ComputeCostState,
  previous: MetricsTotals.extend({ from: Instant, to: Instant })
    .nullable()
    .describe('The same over the period of equal length before `from`; null without `from`'),
  bucket: z.enum(['hour', 'day', 'month']),
  timeZone: z.string().describe('Where days and months of the series begin; hours are whole ones in UTC'),
  series: z.array(MetricsPoint).describe('Ascending; buckets without tasks are left out'),
  responseDistribution: z.array(DistributionBar).describe('Seconds, completed tasks; bars grow by a factor'),
  confidenceDistribution: z.array(DistributionBar).describe('20 bars of 0.05'),
  queue: z
    .array(QueuePoint)
    .describe(
      'Sampled each minute, thinned with age; obeys agent and client. Empty under a filter of extraction',
    ),
  asOf: Instant.describe('The database clock when this was read'),
}).meta({ id: 'Metrics' });
export type Metrics = z.infer<typeof Metrics>;
