import { sql } from 'drizzle-orm';
import type { MetricsQuery, MetricsTotals } from '@/lib/contract/api-metrics';
import { isWaste, llmCostText, moneyText } from '@/lib/dashboard/sql-values';
import { taskConditions } from '@/lib/dashboard/task-filters';
import { taskSource } from '@/lib/dashboard/task-row';
import type { Db } from '@/lib/db/client';

export type FiguresFromRows = Omit<
  MetricsTotals,
  'computeCostEstimateUsd' | 'p90CostUsd' | 'p90ResponseSeconds'
>;

/** The figures of the overview as one writes them down in SQL over tasks and attempts, with nothing in between. */
export async function figuresFromRows(db: Db, query: MetricsQuery): Promise<FiguresFromRows> {
  const where = taskConditions(query, null);
  const { rows } = await db.execute<Record<string, string & number>>(sql`
    with chosen as materialized (
      select t.* from ${taskSource} where ${where}
    ), spent as (
      select a.*, ${isWaste} as waste from chosen t join tickmark.task_attempts a on a.task_id = t.id
    ), per_task as (
      select sum(llm_cost_usd) as cost from spent group by task_id having count(llm_cost_usd) > 0
    )
    select
      (select count(*) from chosen where status = 'enqueued')::int as enqueued,
      (select count(*) from chosen where status = 'processing')::int as processing,
      (select count(*) from chosen where status = 'completed')::int as completed,
      (select count(*) from chosen where status = 'failed')::int as failed,
      (select count(*) from chosen where status = 'cancelled')::int as cancelled,
      coalesce(sum(a.input_tokens), 0)::text as input_tokens,
      coalesce(sum(a.output_tokens), 0)::text as output_tokens,
      ${llmCostText} as llm_cost_usd,
      count(*) filter (where a.llm_cost_usd is null and coalesce(a.input_tokens, 0) + coalesce(a.output_tokens, 0) > 0)::int as unpriced,
      ${moneyText(sql`coalesce(sum(a.llm_cost_usd) filter (where a.waste), 0)`)} as waste,
      coalesce(sum(greatest(0, extract(epoch from a.finished_at - a.dispatched_at))), 0)::float8 as run_seconds,
      (select ${moneyText(sql`(percentile_disc(0.5) within group (order by cost)
        + percentile_disc(0.5) within group (order by cost desc)) / 2`)} from per_task) as median_cost,
      (select percentile_cont(0.5) within group (order by extract(epoch from finished_at - created_at)::float8)
        from chosen where status = 'completed') as median_response,
      (select count(*)::int from per_task) as priced_tasks,
      (select avg(confidence::numeric)::float8 from chosen) as mean,
      (select percentile_cont(0.5) within group (order by confidence::numeric::float8) from chosen) as median_confidence,
      (select percentile_cont(0.1) within group (order by confidence::numeric::float8) from chosen) as p10_confidence,
      (select count(confidence)::int from chosen) as confidences
    from spent a`);
  const row = rows[0];
  if (!row) throw new Error('an aggregate gave no row');
  const count = (name: string) => Number(row[name]);
  return {
    counts: {
      enqueued: count('enqueued'),
      processing: count('processing'),
      completed: count('completed'),
      failed: count('failed'),
      cancelled: count('cancelled'),
    },
    inputTokens: count('input_tokens'),
    outputTokens: count('output_tokens'),
    llmCostUsd: row.llm_cost_usd ?? null,
    unpricedAttempts: count('unpriced'),
    wasteUsd: String(row.waste),
    runSeconds: count('run_seconds'),
    medianCostUsd: row.median_cost ?? null,
    pricedTasks: count('priced_tasks'),
    medianResponseSeconds: row.median_response ?? null,
    confidence: {
      mean: row.mean ?? null,
      median: row.median_confidence ?? null,
      p10: row.p10_confidence ?? null,
      count: count('confidences'),
    },
  };
}

interface SeriesFromRows extends Record<string, unknown> {
  /** Start of the bucket, milliseconds since 1970. */
  readonly at: number;
  readonly tasks: number;
  readonly input: string;
  readonly cost: string;
}

/** The series of a chart in SQL over the rows: by hour, day or month as they begin in a time zone. */
export async function seriesFromRows(
  db: Db,
  query: MetricsQuery,
  bucket: 'hour' | 'day' | 'month',
): Promise<SeriesFromRows[]> {
  // Hours are whole ones in UTC wherever one is.
  const zone = bucket === 'hour' ? 'UTC' : (query.timeZone ?? 'UTC');
  const { rows } = await db.execute<SeriesFromRows>(sql`
    select extract(epoch from date_trunc(${bucket}, t.created_at at time zone ${zone}) at time zone ${zone})::float8 * 1000 as at,
      count(*)::int as tasks, sum(a.input)::text as input, trim_scale(sum(a.cost))::text as cost
    from ${taskSource}
    cross join lateral (
      select coalesce(sum(o.input_tokens), 0) as input, coalesce(sum(o.llm_cost_usd), 0) as cost
      from tickmark.task_attempts o where o.task_id = t.id
    ) a
    where ${taskConditions(query, null)}
    group by 1
    order by 1`);
  return rows;
}
