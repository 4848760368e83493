import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '@/lib/db/client';
import { FACT_ASSIGNMENTS, factColumns, factsDiffer, SUMS, sumNames, sumsOfFacts } from './fact-columns';

/**
 * Brings the facts of these tasks and the sums of their hours up to date, in one statement, so that all of it is seen as of
 * one moment. Only who holds the lock of figures may do so. A task in flight is left as it was: readers take it from its
 * rows, and its end leaves an event.
 */
export async function foldTasks(tx: Tx, taskIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    /* figures.fold */
    with wanted as materialized (select unnest(${sql.param([...taskIds])}::uuid[]) as task_id),
    old as materialized (select f.* from wanted w join tickmark.task_facts f using (task_id)),
    live as materialized (select l.* from wanted w join tickmark.live_facts l using (task_id)),
    ${WRITE_FACTS},
    ${DELTAS},
    ${HISTOGRAMS},
    stale as (
      insert into tickmark.usage_stale (grain, start, since, touched_at)
      select g.grain, date_trunc(g.grain, d.start at time zone 'utc') at time zone 'utc', clock_timestamp(), clock_timestamp()
      from (values ('hour'), ('day'), ('month')) as g (grain), changed d
      group by 1, 2
      on conflict (grain, start) do update set touched_at = excluded.touched_at
    )
    insert into tickmark.usage_hourly as u (level, start, agent_id, client, status, ${sumNames()}, keys, counts)
    select 0, d.start, d.agent_id, d.client, d.status, ${sumNames('d')}, coalesce(g.keys, '{}'), coalesce(g.counts, '{}')
    from changed d
    left join histogram g using (start, agent_id, client, status)
    on conflict (level, start, agent_id, client, status) do update
    set ${ADDED}, keys = excluded.keys, counts = excluded.counts`);
}

/** The hour that a fact `s` belongs to. */
const HOUR: SQL = sql`date_trunc('hour', s.created_at at time zone 'utc') at time zone 'utc'`;

const ADDED: SQL = sql.raw(SUMS.map((name) => `${name} = u.${name} + excluded.${name}`).join(', '));

/** Facts and searchable texts as the rows are now; those of tasks that are no more go. */
const WRITE_FACTS: SQL = sql`
    gone as (
      delete from tickmark.task_facts f
      where f.task_id in (select o.task_id from old o where o.task_id not in (select l.task_id from live l))
    ),
    gone_search as (
      delete from tickmark.task_search s
      where s.task_id in (select o.task_id from old o where o.task_id not in (select l.task_id from live l))
    ),
    written as (
      insert into tickmark.task_facts (${factColumns()})
      select ${factColumns('l')}
      from live l
      left join old o using (task_id)
      where l.status <> 'processing' and (o.task_id is null or ${factsDiffer('o', 'l')})
      on conflict (task_id) do update set ${FACT_ASSIGNMENTS}
    ),
    searchable as (
      insert into tickmark.task_search (task_id, text)
      select l.task_id, l.search from live l where l.search <> ''
      on conflict (task_id) do update set text = excluded.text where task_search.text <> excluded.text
    )`;

/** What the sums of each hour, agent, client and status change by: as it is now, less as it was counted. */
const DELTAS: SQL = sql`
    signed as materialized (
      select 1 as sign, ${factColumns('l')} from live l where l.status <> 'processing'
      union all
      select -1, ${factColumns('o')}
      from old o
      where not exists (select from live l where l.task_id = o.task_id and l.status = 'processing')
    ),
    delta as materialized (
      select ${HOUR} as start, s.agent_id, coalesce(s.client, '') as client, s.status,
        ${sumsOfFacts('s', sql`s.sign`)}
      from signed s
      group by 1, 2, 3, 4
    ),
    key_delta as materialized (
      select ${HOUR} as start, s.agent_id, coalesce(s.client, '') as client, s.status, k.key, sum(s.sign)::integer as n
      from signed s, unnest(s.keys) as k (key)
      group by 1, 2, 3, 4, 5
      having sum(s.sign) <> 0
    ),
    changed as materialized (
      select d.* from delta d
      where ${anyIsNonzero('d')} or exists (
        select from key_delta k
        where (k.start, k.agent_id, k.client, k.status) = (d.start, d.agent_id, d.client, d.status)
      )
    )`;

/** The whole histograms of what changes. */
const HISTOGRAMS: SQL = sql`
    histogram as materialized (
      select c.start, c.agent_id, c.client, c.status, array_agg(c.key order by c.key) as keys, array_agg(c.n order by c.key) as counts
      from (
        select u.start, u.agent_id, u.client, u.status, u.key, sum(u.n)::integer as n
        from (
          select h.start, h.agent_id, h.client, h.status, k.key, k.n
          from changed d
          join tickmark.usage_hourly h
            on h.level = 0 and (h.start, h.agent_id, h.client, h.status) = (d.start, d.agent_id, d.client, d.status)
          cross join unnest(h.keys, h.counts) as k (key, n)
          union all
          select * from key_delta
        ) u
        group by 1, 2, 3, 4, 5
        having sum(u.n) <> 0
      ) c
      group by 1, 2, 3, 4
    )`;

function anyIsNonzero(alias: string): SQL {
  return sql.raw(`(${SUMS.map((name) => `${alias}.${name} <> 0`).join(' or ')})`);
}
