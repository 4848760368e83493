import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';

/**
 * Extends the leases of runs that are known to be alive, all in one statement, but never past an agent's
 * `max_run_seconds`: what runs on is then asked about, and ended, by the sweeper. A lease that has most of its time
 * left is left alone, and so is a row that somebody else is changing now: the next look comes in time.
 * @param leaseSeconds for agents without a lease of their own
 * @returns the attempts whose lease was extended
 */
export async function extendLeases(
  db: Queryable,
  { attemptIds, leaseSeconds }: { attemptIds: readonly string[]; leaseSeconds: number },
): Promise<string[]> {
  if (attemptIds.length === 0) return [];
  const { rows } = await db.execute<{ id: string }>(sql`
    /* queue.extend_leases */
    with alive as materialized (
      select t.id, a.id as attempt_id,
        make_interval(secs => coalesce(g.lease_seconds, ${leaseSeconds}::float8)) as lease,
        coalesce(a.dispatched_at, a.claimed_at) + make_interval(secs => g.max_run_seconds) as deadline
      from jsonb_array_elements_text(${JSON.stringify(attemptIds)}::jsonb) as want (id)
      join tickmark.task_attempts a on a.id = want.id::uuid
      join tickmark.tasks t on t.id = a.task_id and t.current_attempt_id = a.id
      join tickmark.agents g on g.id = t.agent_id
      where t.lease_expires_at is null
        or t.lease_expires_at < clock_timestamp() + ${RENEW_BELOW} * make_interval(secs => coalesce(g.lease_seconds, ${leaseSeconds}::float8))
      order by t.id
      for update of t skip locked
    )
    update tickmark.tasks t
    set lease_expires_at = least(clock_timestamp() + alive.lease, alive.deadline)
    from alive
    where t.id = alive.id and alive.deadline > clock_timestamp()
    returning alive.attempt_id as id`);
  return rows.map((row) => row.id);
}

/** Share of a lease that is left when it is renewed: late enough to write seldom, early enough to miss a look or two. */
const RENEW_BELOW = 0.7;

/** A run in flight, as whoever watches runs needs it. */
export interface WatchedRun {
  readonly taskId: string;
  readonly attemptId: string;
  readonly runId: string;
  readonly cancelRequested: boolean;
}

/** The runs in flight, oldest dispatch first; with a `workerId` only those that it claimed. */
export async function listWatched(
  db: Queryable,
  { workerId, limit }: { workerId?: string; limit: number },
): Promise<WatchedRun[]> {
  const { rows } = await db.execute<{
    task_id: string;
    id: string;
    run_id: string;
    cancel_requested: boolean;
  }>(sql`
    /* queue.list_watched */
    select a.task_id, a.id, a.run_id, t.cancel_requested_at is not null as cancel_requested
    from tickmark.tasks t
    join tickmark.task_attempts a on a.id = t.current_attempt_id
    where t.status = 'processing' and a.run_id is not null
      ${workerId === undefined ? sql`` : sql`and a.claimed_by = ${workerId}`}
    order by a.dispatched_at, a.id
    limit ${limit}`);
  return rows.map((row) => ({
    taskId: row.task_id,
    attemptId: row.id,
    runId: row.run_id,
    cancelRequested: row.cancel_requested,
  }));
}

/** The runs that are to be stopped because somebody cancelled their task. */
export async function listCancelling(db: Queryable, limit: number): Promise<WatchedRun[]> {
  const { rows } = await db.execute<{ task_id: string; id: string; run_id: string }>(sql`
    /* queue.list_cancelling */
    select a.task_id, a.id, a.run_id
    from tickmark.tasks t
    join tickmark.task_attempts a on a.id = t.current_attempt_id
    where t.status = 'processing' and t.cancel_requested_at is not null and a.run_id is not null
    order by t.cancel_requested_at
    limit ${limit}`);
  return rows.map((row) => ({
    taskId: row.task_id,
    attemptId: row.id,
    runId: row.run_id,
    cancelRequested: true,
  }));
}
