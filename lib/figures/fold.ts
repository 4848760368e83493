import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { FACT_ASSIGNMENTS, factColumns, factsDiffer, SUMS, sumNames, sumsOfFacts } from './fact-columns';

/** Any number, the same in every worker: one folds at a time. */
export const FIGURES_LOCK = 7_305_511_806;
/** Changes that are folded in one transaction. */
const BATCH = 5_000;
/** An event's id is taken before its transaction has a number of its own: so much earlier at most. */
const SETTLED_AFTER = sql`interval '2 seconds'`;

export interface FoldOptions {
  readonly batch?: number;
  /** Another worker has folded within so many milliseconds: nothing is done. */
  readonly spacingMs?: number;
}

export interface FoldReport {
  /** Changes that were worked off. */
  readonly changes: number;
  /** There may be more. */
  readonly isMore: boolean;
}

/**
 * Brings `task_facts` and the hourly sums up to what the tasks' rows say, for all tasks that have changed since the last
 * time. What a task contributes is taken out as its fact says and put in as its rows say, in one transaction: so a task is
 * never counted twice, however often it is looked at.
 */
export async function foldOnce(
  db: Db,
  { batch = BATCH, spacingMs = 0 }: FoldOptions = {},
): Promise<FoldReport> {
  if (!(await isDue(db, spacingMs))) return { changes: 0, isMore: false };
  return withTransaction(db, async (tx) => {
    if (!(await tryFiguresLock(tx))) return { changes: 0, isMore: false };
    await noteEvents(tx);
    const { rows } = await tx.execute<{ id: string; task_id: string }>(sql`
      /* figures.changes */
      select id, task_id from tickmark.usage_changes order by id limit ${batch}`);
    if (rows.length > 0) {
      await foldTasks(tx, [...new Set(rows.map((row) => row.task_id))]);
      await tx.execute(sql`
        /* figures.forget_changes */
        delete from tickmark.usage_changes where id = any(${sql.param(rows.map((row) => row.id))}::bigint[])`);
    }
    return { changes: rows.length, isMore: rows.length >= batch };
  });
}

/** Whether anything has changed: an idle database is only read. */
async function isDue(db: Db, spacingMs: number): Promise<boolean> {
  const { rows } = await db.execute<{ is_due: boolean }>(sql`
    /* figures.is_due */
    select (exists (select from tickmark.usage_changes) or exists (select from tickmark.changed_by_event()))
      and s.folded_at <= clock_timestamp() - make_interval(secs => ${spacingMs}::float8 / 1000) as is_due
    from tickmark.usage_state s`);
  return rows[0]?.is_due ?? false;
}

/** Whether this transaction is now the only one that writes figures. */
export async function tryFiguresLock(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ got: boolean }>(sql`
    /* figures.lock */ select pg_try_advisory_xact_lock(${FIGURES_LOCK}) as got`);
  return rows[0]?.got ?? false;
}

/**
 * Writes the tasks of new events down as changed, and in the same statement which events those are: all that its snapshot
 * sees. Ids up to `after_id` are done with for good once every transaction that was open when they were noted has ended.
 */
export async function noteEvents(tx: Tx): Promise<void> {
  await tx.execute(sql`
    /* figures.note_events */
    with changed as (
      insert into tickmark.usage_changes (task_id)
      select distinct task_id from tickmark.changed_by_event()
    ),
    now as (
      select pg_current_snapshot() as snapshot, clock_timestamp() as at,
        coalesce((select max(e.id) from tickmark.task_events e), 0) as last_id
    ),
    settled as (
      select s.next_xmax::xid8 <= pg_snapshot_xmin(n.snapshot) and s.next_at < n.at - ${SETTLED_AFTER} as is_settled
      from tickmark.usage_state s, now n
    )
    update tickmark.usage_state s
    set snapshot = n.snapshot::text, folded_at = n.at,
      after_id = case when d.is_settled then s.next_after_id else s.after_id end,
      next_after_id = case when d.is_settled then n.last_id else s.next_after_id end,
      next_xmax = case when d.is_settled then pg_snapshot_xmax(n.snapshot)::text else s.next_xmax end,
      next_at = case when d.is_settled then n.at else s.next_at end
    from now n, settled d`);
}

/**
 * Brings these tasks up to date. One that is in flight is left as it was: readers take it from its rows, and its end leaves
 * an event.
 */
async function foldTasks(tx: Tx, taskIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    /* figures.fold */
    with wanted as materialized (select unnest(${sql.param([...taskIds])}::uuid[]) as task_id),
    old as materialized (select f.* from wanted w join tickmark.task_facts f using (task_id)),
    live as materialized (select l.* from wanted w join tickmark.live_facts l using (task_id)),
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
    ),
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
      select ${HOUR} as start, s.agent_id, coalesce(s.client, '') as client, s.status, k.key,
        sum(s.sign)::integer as n
      from signed s, unnest(s.keys) as k (key)
      group by 1, 2, 3, 4, 5
      having sum(s.sign) <> 0
    ),
    changed as materialized (
      select d.* from delta d
      where ${anyIsNonzero('d')}
        or exists (select from key_delta k where (k.start, k.agent_id, k.client, k.status) = (d.start, d.agent_id, d.client, d.status))
    ),
    histogram as materialized (
      select c.start, c.agent_id, c.client, c.status, array_agg(c.key order by c.key) as keys, array_agg(c.n order by c.key) as counts
      from (
        select u.start, u.agent_id, u.client, u.status, u.key, sum(u.n)::integer as n
        from (
          select h.start, h.agent_id, h.client, h.status, k.key, k.n
          from changed d
          join tickmark.usage_hourly h on h.level = 0 and (h.start, h.agent_id, h.client, h.status) = (d.start, d.agent_id, d.client, d.status)
          cross join unnest(h.keys, h.counts) as k (key, n)
          union all
          select * from key_delta
        ) u
        group by 1, 2, 3, 4, 5
        having sum(u.n) <> 0
      ) c
      group by 1, 2, 3, 4
    ),
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

function anyIsNonzero(alias: string): SQL {
  return sql.raw(`(${SUMS.map((name) => `${alias}.${name} <> 0`).join(' or ')})`);
}
