import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { factColumns, sumNames, sumsOfFacts } from './fact-columns';
import { FIGURES_LOCK, noteEvents } from './fold';
import { newGeneration, sumUp } from './sum-up';

export interface RebuildOptions {
  /** Lets nobody read meanwhile, and takes a fraction of the time: indexes are made anew at the end. */
  readonly isExclusive?: boolean;
  /** Told of what is being done. */
  readonly onStep?: (step: string) => void;
}

const TABLES = [
  'usage_changes',
  'task_facts',
  'task_search',
  'usage_hourly',
  'usage_daily',
  'usage_monthly',
  'usage_stale',
];

/**
 * Makes facts and sums anew from the tasks' rows, in one transaction: readers see the old ones until it is done, then the
 * new ones. Takes some seconds per 100,000 tasks; what changes meanwhile is folded in afterwards.
 * @returns how many tasks there are
 */
export async function rebuildFigures(
  db: Db,
  { isExclusive = false, onStep = () => {} }: RebuildOptions = {},
): Promise<number> {
  return withTransaction(db, async (tx) => {
    // Set for this transaction alone: it is long, and it needs room to sort.
    await tx.execute(
      sql`select set_config('statement_timeout', '0', true), set_config('work_mem', '256MB', true),
      set_config('maintenance_work_mem', '512MB', true)`,
    );
    await tx.execute(sql`/* figures.lock */ select pg_advisory_xact_lock(${FIGURES_LOCK})`);
    onStep('clearing');
    await noteEvents(tx);
    const indexes = isExclusive ? await dropIndexes(tx) : [];
    for (const table of TABLES) {
      await tx.execute(
        sql.raw(`/* figures.clear */ ${isExclusive ? 'truncate' : 'delete from'} tickmark.${table}`),
      );
    }
    onStep('reading the tasks');
    const { rowCount } = await tx.execute(sql`
      /* figures.all_facts */
      insert into tickmark.task_facts (${factColumns()})
      select ${factColumns('l')} from tickmark.live_facts l where l.status <> 'processing' order by l.task_id`);
    await tx.execute(sql`
      /* figures.all_search */
      insert into tickmark.task_search (task_id, text)
      select t.id, w.words
      from tickmark.tasks t
      left join tickmark.documents d on d.id = t.document_id
      cross join lateral (select concat_ws(E'\n', d.filename, t.error_code, t.error_message) as words) w
      where w.words <> ''`);
    if (indexes.length > 0) onStep('making the indexes');
    for (const index of indexes) await tx.execute(sql.raw(index));
    onStep('summing up hours');
    await tx.execute(sql`
      /* figures.all_hours */
      with total as (
        select ${HOUR} as start, f.agent_id, coalesce(f.client, '') as client, f.status, ${sumsOfFacts('f')}
        from tickmark.task_facts f
        group by 1, 2, 3, 4
      ),
      histogram as (
        select start, agent_id, client, status, array_agg(key order by key) as keys, array_agg(n order by key) as counts
        from (
          select ${HOUR} as start, f.agent_id, coalesce(f.client, '') as client, f.status, k.key, count(*)::integer as n
          from tickmark.task_facts f, unnest(f.keys) as k (key)
          group by 1, 2, 3, 4, 5
        ) k
        group by 1, 2, 3, 4
      )
      insert into tickmark.usage_hourly (level, start, agent_id, client, status, ${sumNames()}, keys, counts)
      select 0, t.start, t.agent_id, t.client, t.status, ${sumNames('t')}, coalesce(h.keys, '{}'), coalesce(h.counts, '{}')
      from total t
      left join histogram h using (start, agent_id, client, status)`);
    // Without statistics the planner takes what has just been written for nothing, and walks all of it for each hour.
    await tx.execute(sql`/* figures.analyze */ analyze tickmark.usage_hourly`);
    await sumUp(tx, 'hour', sql`select distinct h.start from tickmark.usage_hourly h where h.level = 0`);
    onStep('summing up days and months');
    await tx.execute(sql`/* figures.analyze */ analyze tickmark.usage_hourly`);
    await sumUp(tx, 'day', starts('day', sql`tickmark.usage_hourly`));
    await tx.execute(sql`/* figures.analyze */ analyze tickmark.usage_daily`);
    await sumUp(tx, 'month', starts('month', sql`tickmark.usage_daily`));
    await newGeneration(tx, [{ grain: 'all', start: '-infinity' }]);
    // Whoever looks on counts anew: no event tells of rows that were written without one.
    await tx.execute(sql`/* figures.tell */ select pg_notify('task_changes', '')`);
    // The rows were read after the events were noted, so an event may be folded once more; that changes nothing.
    return rowCount ?? 0;
  });
}

/** @returns the statements that make them again */
async function dropIndexes(tx: Tx): Promise<string[]> {
  const { rows } = await tx.execute<{ name: string; definition: string }>(sql`
    /* figures.indexes */
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    where i.indrelid in ('tickmark.task_facts'::regclass, 'tickmark.task_search'::regclass) and not i.indisprimary`);
  for (const { name } of rows) await tx.execute(sql.raw(`drop index ${name}`));
  return rows.map(({ definition }) => definition);
}

const HOUR: SQL = sql`date_trunc('hour', f.created_at at time zone 'utc') at time zone 'utc'`;

function starts(grain: 'day' | 'month', table: SQL): SQL {
  return sql`
    select distinct date_trunc(${sql.raw(`'${grain}'`)}, h.start at time zone 'utc') at time zone 'utc' as start
    from ${table} h
    where h.level = 0`;
}
