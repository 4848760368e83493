import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { sumNames, sumsOfCells } from './fact-columns';
import { tryFiguresLock } from './fold';

export type Grain = 'hour' | 'day' | 'month';

/** A period is summed up once nothing has changed in it for so long … */
const QUIET_SECONDS = 10;
/** … or when it has been changing for so long, since the sums of a day cost little beside reading its hours each time. */
const AT_LAST_SECONDS = 300;
/** Periods of one kind that are summed up in one transaction. */
const BATCH = 200;

/** Where the sums of a grain are, from which they are made, and of which levels. */
const TABLES: Record<Grain, { readonly to: SQL; readonly from: SQL; readonly levels: SQL }> = {
  hour: { to: sql`tickmark.usage_hourly`, from: sql`tickmark.usage_hourly`, levels: sql`'{0}'` },
  day: { to: sql`tickmark.usage_daily`, from: sql`tickmark.usage_hourly`, levels: sql`'{0,1,2,3}'` },
  month: { to: sql`tickmark.usage_monthly`, from: sql`tickmark.usage_daily`, levels: sql`'{0,1,2,3}'` },
};

/** The end of a period, in UTC whatever the session's zone is. */
const endOf = (start: SQL, grain: Grain): SQL =>
  sql`((${start} at time zone 'utc' + ${sql.raw(`interval '1 ${grain}'`)}) at time zone 'utc')`;

/**
 * Sums up periods in which things have changed: hours over their clients and agents, days from hours, months from days.
 * A day waits for its hours, a month for its days; until then readers take the finer ones.
 * @returns how many periods were summed up
 */
export async function sumUpOnce(
  db: Db,
  { quietSeconds = QUIET_SECONDS }: { readonly quietSeconds?: number } = {},
): Promise<number> {
  return withTransaction(db, async (tx) => {
    if (!(await tryFiguresLock(tx))) return 0;
    let done = 0;
    const summed: Summed[] = [];
    for (const grain of ['hour', 'day', 'month'] as const) {
      const starts = await duePeriods(tx, grain, quietSeconds);
      if (starts.length === 0) continue;
      await sumUp(tx, grain, sql`select unnest(${sql.param(starts)}::timestamptz[]) as start`);
      done += starts.length;
      summed.push(...starts.map((start) => ({ grain, start })));
    }
    if (done > 0) await newGeneration(tx, summed);
    return done;
  });
}

/** So many generations back readers are told what was summed up. */
export const GENERATIONS_TOLD = 200;

interface Summed {
  /** `all`: the figures were made anew; its start is `-infinity`. */
  readonly grain: Grain | 'all';
  readonly start: string;
}

/** Says which sums that readers may have kept are others now. */
export async function newGeneration(tx: Tx, summed: readonly Summed[]): Promise<void> {
  await tx.execute(sql`
    /* figures.new_generation */
    with now as (
      update tickmark.usage_state set generation = generation + 1 returning generation
    )
    insert into tickmark.usage_summed (grain, start, generation)
    select p.grain, p.start, now.generation
    from now, unnest(
      ${sql.param(summed.map(({ grain }) => grain))}::text[], ${sql.param(summed.map(({ start }) => start))}::timestamptz[]
    ) as p (grain, start)
    on conflict (grain, start) do update set generation = excluded.generation`);
  await tx.execute(sql`
    /* figures.forget_summed */
    delete from tickmark.usage_summed s
    using tickmark.usage_state u
    where s.generation < u.generation - ${GENERATIONS_TOLD}::bigint`);
}

/** Marks periods as right and returns them. */
async function duePeriods(tx: Tx, grain: Grain, quietSeconds: number): Promise<string[]> {
  const ago = (seconds: number) => sql`clock_timestamp() - make_interval(secs => ${seconds}::float8)`;
  const finer = grain === 'month' ? sql`'hour', 'day'` : sql`'hour'`;
  const { rows } = await tx.execute<{ start: string }>(sql`
    /* figures.due_periods */
    delete from tickmark.usage_stale
    where (grain, start) in (
      select s.grain, s.start
      from tickmark.usage_stale s
      where s.grain = ${grain} and (s.touched_at <= ${ago(quietSeconds)} or s.since <= ${ago(AT_LAST_SECONDS)})
        and (${grain} = 'hour' or not exists (
          select from tickmark.usage_stale f
          where f.grain in (${finer}) and f.start >= s.start and f.start < ${endOf(sql`s.start`, grain)}
        ))
      order by s.start
      limit ${BATCH}
    )
    returning start::text`);
  return rows.map((row) => row.start);
}

/**
 * Writes the sums of a grain anew.
 * @param periods a query for the `start` of each period
 */
export async function sumUp(tx: Tx, grain: Grain, periods: SQL): Promise<void> {
  const { to, from, levels } = TABLES[grain];
  const isHour = grain === 'hour';
  // Hours: what stands for all clients or all agents comes from what does not. Days and months keep the levels.
  const level = isHour ? sql`l.level` : sql`c.level`;
  await tx.execute(sql`
    /* figures.clear_periods */
    delete from ${to} c
    using (${periods}) p
    where c.start = p.start and c.level = any('{0,1,2,3}') and ${isHour ? sql`(c.level > 0 or c.tasks = 0)` : sql`true`}`);
  await tx.execute(sql`
    /* figures.sum_up */
    with source as (
      select ${level} as level, p.start,
        case when ${level} & 2 = 0 then c.agent_id else '' end as agent_id,
        case when ${level} & 1 = 0 then c.client else '' end as client,
        c.status, ${sumNames('c')}, c.keys, c.counts
      from (${periods}) p
      join ${from} c on c.start >= p.start and c.start < ${endOf(sql`p.start`, grain)} and c.level = any(${levels})
      cross join ${isHour ? sql`(values (1), (2), (3)) as l (level)` : sql`(values (0)) as l (level)`}
    ),
    histogram as (
      select level, start, agent_id, client, status, array_agg(key order by key) as keys, array_agg(n order by key) as counts
      from (
        select s.level, s.start, s.agent_id, s.client, s.status, k.key, sum(k.n)::integer as n
        from source s, unnest(s.keys, s.counts) as k (key, n)
        group by 1, 2, 3, 4, 5, 6
      ) k
      group by 1, 2, 3, 4, 5
    ),
    total as (
      select s.level, s.start, s.agent_id, s.client, s.status, ${sumsOfCells('s')}
      from source s
      group by 1, 2, 3, 4, 5
    )
    insert into ${to} (level, start, agent_id, client, status, ${sumNames()}, keys, counts)
    select t.level, t.start, t.agent_id, t.client, t.status, ${sumNames('t')}, coalesce(h.keys, '{}'), coalesce(h.counts, '{}')
    from total t
    left join histogram h using (level, start, agent_id, client, status)
    where t.tasks > 0`);
}
