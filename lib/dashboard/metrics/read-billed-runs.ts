import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { TaskFilters } from '@/lib/contract/api-requests';
import type { Queryable } from '@/lib/db/client';
import type { BilledRun } from '@/lib/platform/billing-source/port';
import { taskConditions } from '../task-filters';
import { taskSource } from '../task-row';

/** What a bill is asked for at once: about 20 statements. */
const MAX_RUNS = 200_000;

interface RunRow extends Record<string, unknown> {
  attempt_id: string;
  run_id: string;
  begun_ms: number;
  ended_ms: number | null;
  is_billed_elsewhere: boolean;
}

/** The runs of all attempts of the tasks under some filters. Throws, in words for people, where there are too many. */
export async function readBilledRuns(
  db: Queryable,
  filters: TaskFilters,
  scope: ClientScope,
): Promise<readonly BilledRun[]> {
  const { rows } = await db.execute<RunRow>(sql`
    /* dashboard.billed_runs */
    with asked as materialized (
      select a.id as attempt_id, a.run_id,
        extract(epoch from coalesce(a.dispatched_at, a.claimed_at))::float8 * 1000 as begun_ms,
        extract(epoch from greatest(a.finished_at, a.run_stopped_at))::float8 * 1000 as ended_ms
      from ${taskSource}
      join tickmark.task_attempts a on a.task_id = t.id
      where ${taskConditions(filters, scope)} and a.run_id is not null
      limit ${MAX_RUNS + 1}
    ),
    -- Ids grow with time. No index knows runs, so that a dispatch is a HOT update: one look at all attempts.
    shared as materialized (
      select distinct r.attempt_id
      from asked r join tickmark.task_attempts earlier on earlier.run_id = r.run_id and earlier.id < r.attempt_id
    )
    select r.*, s.attempt_id is not null as is_billed_elsewhere
    from asked r left join shared s on s.attempt_id = r.attempt_id`);
  if (rows.length > MAX_RUNS) {
    throw new Error(`The bill is read for at most ${MAX_RUNS} runs at once. Choose a shorter range.`);
  }
  return rows.map((row) => ({
    attemptId: row.attempt_id,
    runId: row.run_id,
    begunMs: row.begun_ms,
    endedMs: row.ended_ms,
    isBilledElsewhere: row.is_billed_elsewhere,
  }));
}
