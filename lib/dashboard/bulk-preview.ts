import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { BulkPreview, BulkRequest } from '@/lib/contract/api-bulk';
import type { Queryable } from '@/lib/db/client';
import { BULK_ORDER, bulkTasks } from './bulk-selection';
import { sameAgain } from './same-again';
import { moneyText } from './sql-values';
import { type TaskRow, taskColumns, taskJoins, taskSource, toTaskListItem } from './task-row';

const SAMPLE = 10;
/** Attempts of an agent that say which model it uses and how its tokens divide into input and output. */
const RECENT = 100;

/** What a bulk action would work on, and what these tasks are expected to cost when they run; changes nothing. */
export async function previewBulk(
  db: Queryable,
  request: BulkRequest,
  scope: ClientScope,
): Promise<BulkPreview> {
  const tasks = await bulkTasks(db, request, scope);
  const sample = await db.execute<TaskRow>(sql`
    /* dashboard.bulk_sample */
    with sample as materialized (
      select b.* from (${tasks}) b order by ${BULK_ORDER} limit ${SAMPLE}
    )
    select ${taskColumns}
    from sample b
    join (${taskSource}) on t.id = b.id
    ${taskJoins}
    order by ${BULK_ORDER}`);
  const { rows } = await db.execute<{ count: number; unpriced: number; cost: string | null }>(sql`
    /* dashboard.bulk_cost */
    with rate as materialized (
      select agent.agent_id, r.usd_per_token
      from (select id as agent_id from tickmark.agents) agent left join lateral (${usdPerToken}) r on true
    ),
    priced as (
      -- One that has run before is taken to cost what its dearest attempt did, where that is more than the estimate.
      select greatest(
          case when t.estimated_tokens = 0 then 0 else t.estimated_tokens * rate.usd_per_token end,
          (select max(a.llm_cost_usd) from tickmark.task_attempts a where a.task_id = t.id)
        ) as usd
      from (${tasks}) b
      join tickmark.tasks t on t.id = b.id
      join rate on rate.agent_id = t.agent_id
    )
    select count(*)::integer as count, count(*) filter (where usd is null)::integer as unpriced,
      ${moneyText(sql`round(sum(usd), 12)`)} as cost
    from priced`);
  const figures = rows[0] ?? { count: 0, unpriced: 0, cost: null };
  return {
    count: figures.count,
    sample: sample.rows.map(toTaskListItem),
    estimatedCostUsd: figures.count === 0 ? '0' : figures.cost,
    sameAgain: request.action === 'retry' ? await sameAgain(db, tasks) : [],
    unpriced: figures.unpriced,
  };
}

/**
 * What a token of `agent.agent_id` costs now, in and out mixed as in its recent attempts with the model that it used
 * last. No row where it has used none; null where that one has no price.
 */
const usdPerToken = sql`
  with recent as materialized (
    select a.model, greatest(a.finished_at, a.run_stopped_at) as ended,
      coalesce(a.input_tokens, 0) as input, coalesce(a.cached_input_tokens, 0) as cached,
      coalesce(a.cache_write_tokens, 0) as written, coalesce(a.output_tokens, 0) as output
    from tickmark.task_attempts a
    where a.agent_id = agent.agent_id and a.finished_at is not null and a.model is not null
      -- As the index of these says it: else all that have ever ended would be read.
      and greatest(a.finished_at, a.run_stopped_at) is not null
    order by greatest(a.finished_at, a.run_stopped_at) desc
    limit ${RECENT}
  ),
  mix as (
    select r.model, sum(greatest(r.input - r.cached - r.written, 0)) as fresh, sum(r.cached) as cached,
      sum(r.written) as written, sum(r.output) as output
    from recent r
    where r.model = (select model from recent order by ended desc limit 1)
    group by r.model
  )
  select coalesce(
      (m.fresh * p.input_usd_per_million + m.cached * p.cached_input_usd_per_million
        + m.written * p.cache_write_usd_per_million + m.output * p.output_usd_per_million)
        / nullif(m.fresh + m.cached + m.written + m.output, 0),
      p.input_usd_per_million
    ) / 1000000 as usd_per_token
  from mix m
  cross join lateral (
    select * from tickmark.model_prices
    where model = m.model and valid_from <= clock_timestamp()
    order by valid_from desc
    limit 1
  ) p`;
