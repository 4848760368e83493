import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { Metrics, MetricsPoint } from '@/lib/contract/api-metrics';
import type { TaskFilters } from '@/lib/contract/api-requests';
import type { Queryable } from '@/lib/db/client';
import { isoInstant, isWaste, llmCostText, moneyText } from './sql-values';
import { taskConditions } from './task-filters';
import { taskSource } from './task-row';

interface FiguresRow extends Record<string, unknown> {
  enqueued: number;
  processing: number;
  completed: number;
  failed: number;
  cancelled: number;
  median_response_seconds: number | null;
  confidence_mean: number | null;
  confidence_median: number | null;
  confidence_p10: number | null;
  confidence_count: number;
  first_at: string | null;
  last_at: string | null;
}

interface SpendRow extends Record<string, unknown> {
  input_tokens: string;
  output_tokens: string;
  llm_cost_usd: string | null;
  unpriced_attempts: number;
  waste_usd: string;
  compute_cost_usd: string | null;
  median_cost_usd: string | null;
}

interface SeriesRow extends Record<string, unknown> {
  at: string;
  enqueued: number;
  processing: number;
  completed: number;
  failed: number;
  cancelled: number;
  input_tokens: string;
  output_tokens: string;
  llm_cost_usd: string;
}

/** Up to so many hours are shown by the hour, longer ranges by the day (UTC). */
const HOURLY_UP_TO_HOURS = 72;
/** No chart shows more points; the newest ones are kept. */
const MAX_POINTS = 1_000;

const NOT_ASKED: Metrics['computeCost'] = {
  id: null,
  status: 'none',
  source: null,
  computeCostUsd: null,
  requestedAt: null,
  readyAt: null,
  message: null,
};

const countByStatus = sql`
  count(*) filter (where t.status = 'enqueued')::int as enqueued,
  count(*) filter (where t.status = 'processing')::int as processing,
  count(*) filter (where t.status = 'completed')::int as completed,
  count(*) filter (where t.status = 'failed')::int as failed,
  count(*) filter (where t.status = 'cancelled')::int as cancelled`;

/** Every figure over the tasks that the filters choose, computed from their rows. */
export async function readMetrics(
  db: Queryable,
  query: TaskFilters,
  scope: ClientScope = null,
): Promise<Metrics> {
  const where = taskConditions(query, scope);
  const [figures, spend] = await Promise.all([readFigures(db, where), readSpend(db, where)]);
  const bucket = decideBucket(query.from ?? figures.first_at, query.to ?? figures.last_at);
  const { enqueued, processing, completed, failed, cancelled } = figures;
  return {
    counts: { enqueued, processing, completed, failed, cancelled },
    inputTokens: Number(spend.input_tokens),
    outputTokens: Number(spend.output_tokens),
    llmCostUsd: spend.llm_cost_usd,
    unpricedAttempts: spend.unpriced_attempts,
    wasteUsd: spend.waste_usd,
    computeCostEstimateUsd: spend.compute_cost_usd,
    runSeconds: 0,
    medianCostUsd: spend.median_cost_usd,
    p90CostUsd: null,
    medianResponseSeconds: figures.median_response_seconds,
    p90ResponseSeconds: null,
    confidence: {
      mean: figures.confidence_mean,
      median: figures.confidence_median,
      p10: figures.confidence_p10,
      count: figures.confidence_count,
    },
    bucket,
    series: await readSeries(db, where, bucket),
    approximate: false,
    computeCost: NOT_ASKED,
    previous: null,
    responseDistribution: [],
    confidenceDistribution: [],
    queue: [],
    asOf: new Date().toISOString(),
  };
}

async function readFigures(db: Queryable, where: SQL): Promise<FiguresRow> {
  const { rows } = await db.execute<FiguresRow>(sql`
    /* dashboard.metrics_figures */
    select ${countByStatus},
      percentile_cont(0.5) within group (order by extract(epoch from t.finished_at - t.created_at)::float8)
        filter (where t.status = 'completed') as median_response_seconds,
      avg(t.confidence::numeric)::float8 as confidence_mean,
      percentile_cont(0.5) within group (order by t.confidence::numeric::float8) as confidence_median,
      percentile_cont(0.1) within group (order by t.confidence::numeric::float8) as confidence_p10,
      count(t.confidence)::int as confidence_count,
      ${isoInstant(sql`min(t.created_at)`)} as first_at,
      ${isoInstant(sql`max(t.created_at)`)} as last_at
    from ${taskSource}
    where ${where}`);
  return first(rows);
}

/** The median of an even number of costs is the mean of the two in the middle, exactly: hence from both ends. */
async function readSpend(db: Queryable, where: SQL): Promise<SpendRow> {
  const { rows } = await db.execute<SpendRow>(sql`
    /* dashboard.metrics_spend */
    with spent as (
      select a.task_id, a.input_tokens, a.output_tokens, a.llm_cost_usd, a.compute_cost_usd, ${isWaste} as waste
      from ${taskSource}
      join tickmark.task_attempts a on a.task_id = t.id
      where ${where}
    ), per_task as (
      select task_id, sum(llm_cost_usd) as cost
      from spent
      group by task_id
      having count(llm_cost_usd) > 0
    )
    select
      coalesce(sum(a.input_tokens), 0)::text as input_tokens,
      coalesce(sum(a.output_tokens), 0)::text as output_tokens,
      ${llmCostText} as llm_cost_usd,
      count(*) filter (where a.llm_cost_usd is null and coalesce(a.input_tokens, 0) + coalesce(a.output_tokens, 0) > 0)::int
        as unpriced_attempts,
      ${moneyText(sql`coalesce(sum(a.llm_cost_usd) filter (where a.waste), 0)`)} as waste_usd,
      ${moneyText(sql`sum(a.compute_cost_usd)`)} as compute_cost_usd,
      (select ${moneyText(sql`(percentile_disc(0.5) within group (order by cost)
        + percentile_disc(0.5) within group (order by cost desc)) / 2`)} from per_task) as median_cost_usd
    from spent a`);
  return first(rows);
}

async function readSeries(db: Queryable, where: SQL, bucket: Metrics['bucket']): Promise<MetricsPoint[]> {
  const { rows } = await db.execute<SeriesRow>(sql`
    /* dashboard.metrics_series */
    with task as (
      select t.id, t.status, date_trunc(${bucket}, t.created_at at time zone 'utc') as at
      from ${taskSource}
      where ${where}
    ), counted as (
      select t.at, ${countByStatus}
      from task t
      group by t.at
    ), spent as (
      select t.at, sum(a.input_tokens) as input_tokens, sum(a.output_tokens) as output_tokens,
        sum(a.llm_cost_usd) as llm_cost_usd
      from task t
      join tickmark.task_attempts a on a.task_id = t.id
      group by t.at
    )
    select to_char(c.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      c.enqueued, c.processing, c.completed, c.failed, c.cancelled,
      coalesce(s.input_tokens, 0)::text as input_tokens,
      coalesce(s.output_tokens, 0)::text as output_tokens,
      ${moneyText(sql`coalesce(s.llm_cost_usd, 0)`)} as llm_cost_usd
    from counted c
    left join spent s on s.at = c.at
    order by c.at desc
    limit ${MAX_POINTS}`);
  return rows.reverse().map((row) => ({
    at: row.at,
    counts: {
      enqueued: row.enqueued,
      processing: row.processing,
      completed: row.completed,
      failed: row.failed,
      cancelled: row.cancelled,
    },
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    llmCostUsd: row.llm_cost_usd,
    medianResponseSeconds: null,
    p90ResponseSeconds: null,
    agents: [],
  }));
}

function decideBucket(from: string | null, to: string | null): Metrics['bucket'] {
  const start = Date.parse(from ?? '');
  const end = to === null ? Date.now() : Date.parse(to);
  const hours = (end - start) / 3_600_000;
  return hours <= HOURLY_UP_TO_HOURS ? 'hour' : 'day';
}

/** An aggregate without `group by` always gives one row. */
function first<T>(rows: readonly T[]): T {
  const row = rows[0];
  if (row === undefined) throw new Error('an aggregate gave no row');
  return row;
}
