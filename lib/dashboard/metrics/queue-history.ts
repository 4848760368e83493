import 'server-only';
import { sql } from 'drizzle-orm';
import type { QueuePoint } from '@/lib/contract/api-metrics';
import type { Tx } from '@/lib/db/client';
import { allOf, isOneOf, isoInstant } from '../sql-values';
import { instantText } from './cells';
import type { Moment } from './moment';
import type { Span } from './periods';
import type { Selection } from './selection';

/** Into so many parts the samples are divided, of whole minutes; a chart has no room for more. */
const PARTS = 500;

interface Row extends Record<string, unknown> {
  at: string;
  waiting: number;
  in_flight: number;
  oldest_seconds: number;
}

/** The queue's history, read anew once it was looked at again. Samples know no extraction and no error. */
export async function readQueueHistory(
  { tx, queues, sampledAt }: Moment,
  range: Span,
  selection: Selection,
): Promise<readonly QueuePoint[]> {
  const { agents, clients, extractions, errorCodes } = selection;
  if (extractions || errorCodes) return [];
  const spanned = [instantText(range.lo), instantText(range.hi)];
  const key = JSON.stringify([sampledAt, agents, clients, spanned]);
  const points = queues.get(key) ?? (await read(tx, range, selection));
  queues.set(key, points);
  return points;
}

/**
 * How many tasks waited, and how long the oldest had, by the samples of the range: the fullest one of each of 500 equal
 * parts of the time that was looked at, however long the range is. Status says nothing here, and samples know no extraction.
 */
async function read(tx: Tx, range: Span, selection: Selection): Promise<QueuePoint[]> {
  const isApart = selection.agents !== null || selection.clients !== null;
  const chosen = isApart ? [sql`s.agent_id <> ''`] : [sql`s.agent_id = '' and s.client = ''`];
  if (selection.agents) chosen.push(isOneOf(sql`s.agent_id`, selection.agents));
  if (selection.clients) chosen.push(isOneOf(sql`s.client`, selection.clients));
  // A moment without a row of its own for what is chosen is one at which nothing waited.
  const { rows } = await tx.execute<Row>(sql`
    /* dashboard.queue_history */
    with moment as (
      select m.at from tickmark.queue_samples m
      where m.agent_id = '' and m.client = ''
        and m.at >= ${instantText(range.lo)}::timestamptz and m.at < ${instantText(range.hi)}::timestamptz
    ),
    width as (
      select greatest(1, ceil(extract(epoch from max(at) - min(at)) / ${PARTS} / 60)) * 60 as seconds from moment
    ),
    chosen as (
      select s.at, sum(s.waiting)::int as waiting, sum(s.in_flight)::int as in_flight, min(s.oldest_at) as oldest_at
      from tickmark.queue_samples s
      where ${allOf(chosen)}
        and s.at >= ${instantText(range.lo)}::timestamptz and s.at < ${instantText(range.hi)}::timestamptz
      group by s.at
    )
    select ${isoInstant(sql`p.at`)} as at, p.waiting, p.in_flight, p.oldest_seconds
    from (
      select distinct on (b.bucket) m.at, coalesce(c.waiting, 0) as waiting, coalesce(c.in_flight, 0) as in_flight,
        coalesce(extract(epoch from m.at - c.oldest_at)::float8, 0) as oldest_seconds
      from moment m
      cross join width w
      left join chosen c on c.at = m.at
      cross join lateral (select date_bin(make_interval(secs => w.seconds), m.at, '2000-01-01Z') as bucket) b
      order by b.bucket, coalesce(c.waiting, 0) desc, m.at
    ) p
    order by p.at`);
  return rows.map((row) => ({
    at: row.at,
    waiting: row.waiting,
    inFlight: row.in_flight,
    oldestSeconds: Math.max(0, row.oldest_seconds),
  }));
}
