import { sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { tryFiguresLock } from './fold';

/** How often the queue is looked at. */
const EVERY_SECONDS = 60;
/** How long each minute is kept, then the fullest of each hour, then of each day. */
const MINUTES_KEPT = sql`interval '26 hours'`;
const HOURS_KEPT = sql`interval '60 days'`;

/**
 * Notes how many tasks wait and how old the oldest is, per agent and client, once a minute however many workers there are.
 * @returns whether it was time
 */
export async function sampleQueueOnce(db: Db): Promise<boolean> {
  return withTransaction(db, async (tx) => {
    if (!(await tryFiguresLock(tx))) return false;
    const { rowCount } = await tx.execute(sql`
      /* figures.sample_due */
      update tickmark.usage_state set sampled_at = clock_timestamp()
      where sampled_at <= clock_timestamp() - make_interval(secs => ${EVERY_SECONDS}::int)`);
    if (!rowCount) return false;
    await tx.execute(sql`
      /* figures.sample_queue */
      with open as materialized (
        select t.agent_id, coalesce(x.client, '') as client,
          (count(*) filter (where t.status = 'enqueued'))::int as waiting,
          (count(*) filter (where t.status = 'processing'))::int as in_flight,
          min(t.created_at) filter (where t.status = 'enqueued') as oldest_at
        from tickmark.tasks t
        left join tickmark.extractions x on x.id = t.extraction_id
        where t.status in ('enqueued', 'processing')
        group by 1, 2
      )
      insert into tickmark.queue_samples (at, agent_id, client, waiting, in_flight, oldest_at)
      select now(), o.agent_id, o.client, o.waiting, o.in_flight, o.oldest_at from open o
      union all
      select now(), '', '', coalesce(sum(o.waiting), 0)::int, coalesce(sum(o.in_flight), 0)::int, min(o.oldest_at) from open o
      on conflict do nothing`);
    await tx.execute(thin('hour', MINUTES_KEPT));
    await tx.execute(thin('day', HOURS_KEPT));
    return true;
  });
}

/** Leaves the fullest sample of each hour or day that is older than `age`; two more periods back, they are thin already. */
function thin(grain: 'hour' | 'day', age: typeof MINUTES_KEPT) {
  const bucket = sql`date_trunc(${sql.raw(`'${grain}'`)}, m.at at time zone 'utc')`;
  return sql`
    /* figures.thin_samples */
    delete from tickmark.queue_samples s
    using (
      select m.at, row_number() over (partition by ${bucket} order by m.waiting desc, m.at) as place
      from tickmark.queue_samples m
      where m.agent_id = '' and m.client = ''
        and ${bucket} < date_trunc(${sql.raw(`'${grain}'`)}, (now() - ${age}) at time zone 'utc')
        and m.at > now() - ${age} - ${sql.raw(`interval '3 ${grain}'`)}
    ) o
    where s.at = o.at and o.place > 1`;
}
