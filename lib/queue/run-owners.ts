import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import type { AliveRun } from '@/lib/platform/job-runner/port';

/** A run that ends by itself after its report has so long for it. */
const GRACE_SECONDS = 60;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Of runs that are alive, those that nobody owns: their attempt is not known here, or has been over for a while.
 * A superseded one that is still to be stopped is the sweeper's; one that is known by its run id alone and not found
 * may just not have been recorded yet, so it is left alone.
 */
export async function findOwnerless(db: Queryable, alive: readonly AliveRun[]): Promise<AliveRun[]> {
  const asked = alive.map(({ runId, attemptId }, n) => ({
    n,
    run_id: runId,
    attempt_id: attemptId && UUID.test(attemptId) ? attemptId : null,
  }));
  if (asked.length === 0) return [];
  const { rows } = await db.execute<{ n: number }>(sql`
    /* queue.find_ownerless */
    select w.n
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as w (n integer, run_id text, attempt_id uuid)
    left join lateral (
      select a.status, a.run_stopped_at, greatest(a.finished_at, a.run_stopped_at) as over_since
      from tickmark.task_attempts a
      where a.id = w.attempt_id or (w.attempt_id is null and a.run_id = w.run_id)
      limit 1
    ) a on true
    where (w.attempt_id is not null and a.status is null)
      or (a.status not in ('claimed', 'running')
        and not (a.status = 'superseded' and a.run_stopped_at is null)
        and a.over_since < clock_timestamp() - make_interval(secs => ${GRACE_SECONDS}))`);
  return rows.flatMap(({ n }) => alive[n] ?? []);
}

/** An attempt that is over and whose run surely is, too. */
export interface OverAttempt {
  readonly attemptId: string;
  readonly secondsAgo: number;
}

/**
 * Of attempts with files, those whose files no run needs any more. Never one from before this database was adopted: its
 * run is the original's, which may go on and be asked for its report.
 */
export async function findOver(db: Queryable, attemptIds: readonly string[]): Promise<OverAttempt[]> {
  const ids = attemptIds.filter((id) => UUID.test(id));
  if (ids.length === 0) return [];
  const { rows } = await db.execute<{ id: string; seconds: number }>(sql`
    /* queue.find_over */
    select a.id, extract(epoch from clock_timestamp() - greatest(a.finished_at, a.run_stopped_at))::float8 as seconds
    from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as w (id)
    join tickmark.task_attempts a on a.id = w.id::uuid
    where a.status not in ('claimed', 'running') and a.run_stopped_at is not null
      and a.claimed_at > coalesce((select max(l.at) from tickmark.audit_log l where l.action = 'database.adopt'), '-infinity')`);
  return rows.map(({ id, seconds }) => ({ attemptId: id, secondsAgo: seconds }));
}

/**
 * Attempts in flight that have said nothing for a while, in the order of their ids from `after` on: their report may
 * lie in the outbox, its callback lost or still being tried.
 */
export async function listSilent(
  db: Queryable,
  { seconds, after, limit }: { seconds: number; after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    /* queue.list_silent */
    select a.id
    from tickmark.tasks t
    join tickmark.task_attempts a on a.id = t.current_attempt_id
    where t.status = 'processing' and a.run_id is not null
      and coalesce(a.last_sign_at, a.dispatched_at) < clock_timestamp() - make_interval(secs => ${seconds}::float8)
      and (${after}::uuid is null or a.id > ${after}::uuid)
    order by a.id
    limit ${limit}`);
  return rows.map(({ id }) => id);
}
