import 'server-only';
import { sql } from 'drizzle-orm';
import type { TraceHealth } from '@/lib/contract/api-health';
import type { Queryable } from '@/lib/db/client';

/** More need not be counted one by one. */
const MANY = 10_000;

/** How the traces of attempts are doing; null where no run was ever told to record one. Read from partial indexes alone. */
export async function readTraceHealth(db: Queryable): Promise<TraceHealth | null> {
  const { rows } = await db.execute<{
    is_used: boolean;
    waiting: number;
    differ: number;
    missing: number;
    error: string | null;
  }>(sql`
    /* dashboard.trace_health */
    with odd as materialized (
      select differs, status from tickmark.attempt_traces
      where (differs or status in ('incomplete', 'missing')) and done_at > clock_timestamp() - interval '1 day'
      limit ${MANY}
    )
    select exists (select from tickmark.attempt_traces) as is_used,
      (select count(*)::int from (
        select from tickmark.attempt_traces where next_read_at is not null limit ${MANY}
      ) w) as waiting,
      (select count(*)::int from odd where differs) as differ,
      (select count(*)::int from odd where status <> 'complete') as missing,
      (select error from tickmark.attempt_traces
        where next_read_at is not null and error is not null order by next_read_at limit 1) as error`);
  const row = rows[0];
  if (!row?.is_used) return null;
  return { waiting: row.waiting, differLastDay: row.differ, missingLastDay: row.missing, error: row.error };
}
