import 'server-only';
import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { decideEta, type OpenWork } from './eta';

interface OpenWorkRow extends Record<string, unknown> {
  extraction_id: string;
  waiting: number;
  running: number;
  ahead: number;
  estimated_seconds: number | null;
  learnt: boolean;
  measured_seconds: number | null;
  in_flight: number;
  now_ms: number;
}

export interface EtaRange {
  readonly low: string | null;
  readonly high: string | null;
}

const UNKNOWN: EtaRange = { low: null, high: null };

/** When each extraction is likely to be done, as instants of the database's clock; only those with open tasks are asked about. */
export async function readEtas(
  db: Queryable,
  openExtractionIds: readonly string[],
): Promise<(extractionId: string) => EtaRange> {
  if (openExtractionIds.length === 0) return () => UNKNOWN;
  const { rows } = await db.execute<OpenWorkRow>(sql`
    /* dashboard.open_work */
    with history as (
      select g.id as agent_id, (
        select percentile_cont(0.5) within group (order by last.seconds)
        from (
          select extract(epoch from a.finished_at - a.claimed_at) as seconds, a.status
          from tickmark.task_attempts a
          where a.agent_id = g.id and a.finished_at is not null
            and greatest(a.finished_at, a.run_stopped_at) > now() - interval '1 hour'
          order by greatest(a.finished_at, a.run_stopped_at) desc
          limit 500
        ) last
        where last.status = 'succeeded'
      ) as seconds
      from tickmark.agents g
    )
    select x.id as extraction_id, o.waiting, o.running, o.estimated_seconds, o.learnt,
      h.seconds as measured_seconds,
      (select count(*)::int from tickmark.tasks w
        where w.status = 'enqueued' and w.extraction_id is distinct from x.id
          and (w.priority > x.priority or (w.priority = x.priority and w.created_at < x.created_at))) as ahead,
      (select count(*)::int from tickmark.tasks r where r.status = 'processing') as in_flight,
      extract(epoch from clock_timestamp())::float8 * 1000 as now_ms
    from tickmark.extractions x
    cross join lateral (
      select
        count(*) filter (where t.status = 'enqueued')::int as waiting,
        count(*) filter (where t.status = 'processing')::int as running,
        avg(t.estimated_seconds)::float8 as estimated_seconds,
        coalesce(bool_and(t.estimate_version is not null) filter (where t.estimated_seconds is not null), false) as learnt
      from tickmark.tasks t
      where t.extraction_id = x.id
        and t.status in ('enqueued', 'processing')
    ) o
    left join history h on h.agent_id = x.agent_id
    where x.id = any(${sql.param([...openExtractionIds])}::uuid[])`);
  const etas = new Map(rows.map((row) => [row.extraction_id, toRange(row)]));
  return (extractionId) => etas.get(extractionId) ?? UNKNOWN;
}

function toRange(row: OpenWorkRow): EtaRange {
  const work: OpenWork = {
    waiting: row.waiting,
    running: row.running,
    ahead: row.ahead,
    measuredSeconds: row.measured_seconds,
    estimatedSeconds: row.estimated_seconds,
    learnt: row.learnt,
    inFlight: row.in_flight,
  };
  const eta = decideEta(work);
  if (!eta) return UNKNOWN;
  const instant = (seconds: number) => new Date(Number(row.now_ms) + seconds * 1000).toISOString();
  return { low: instant(eta.lowSeconds), high: instant(eta.highSeconds) };
}
