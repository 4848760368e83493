import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import type { BegunWithin } from '@/lib/platform/job-runner/port';
import { workerIsAlive } from './worker-alive';

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
  readonly begun: BegunWithin;
}

/** The columns that tell when the run of an attempt `a` began, and what they say. */
export const BEGUN = sql`a.claimed_at, coalesce(a.dispatched_at, clock_timestamp()) as dispatched_by`;
export interface BegunColumns extends Record<string, unknown> {
  claimed_at: string;
  dispatched_by: string;
}
export function begunWithin(row: BegunColumns): BegunWithin {
  return { after: new Date(row.claimed_at), before: new Date(row.dispatched_by) };
}

interface WatchedRow extends BegunColumns {
  task_id: string;
  id: string;
  run_id: string;
}

/** Who watches its share of the runs. */
export interface Watcher {
  readonly workerId: string;
  /** For agents without a lease of their own. */
  readonly leaseSeconds: number;
}

/**
 * Share of a lease below which everybody watches its run. Whoever's run it is has missed at least two looks by then: a
 * worker that is frozen, or that does not reach the runner, leaves nothing unwatched, whatever its heartbeat says.
 */
const ALL_WATCH_BELOW = 0.5;

/**
 * The runs in flight, oldest dispatch first; with a `watcher` only its share. Each run falls to one of the living
 * workers by its attempt's id, so that n of them do not ask about everything n times; a worker that is found lost is
 * left out at once, and one that starts is in. Where two see different workers, a run is watched twice, or not until
 * their next look: its lease is there for that.
 */
export async function listWatched(
  db: Queryable,
  { watcher, limit }: { watcher?: Watcher; limit: number },
): Promise<WatchedRun[]> {
  const { rows } = await db.execute<WatchedRow & { cancel_requested: boolean }>(sql`
    /* queue.list_watched */
    select a.task_id, a.id, a.run_id, ${BEGUN}, t.cancel_requested_at is not null as cancel_requested
    from tickmark.tasks t
    join tickmark.task_attempts a on a.id = t.current_attempt_id
    ${watcher ? shareOf(watcher) : sql`where t.status = 'processing' and a.run_id is not null`}
    order by a.dispatched_at, a.id
    limit ${limit}`);
  return rows.map((row) => ({
    taskId: row.task_id,
    attemptId: row.id,
    runId: row.run_id,
    cancelRequested: row.cancel_requested,
    begun: begunWithin(row),
  }));
}

function shareOf({ workerId, leaseSeconds }: Watcher): SQL {
  return sql`
    join tickmark.agents g on g.id = t.agent_id
    cross join (
      -- Who asks is alive, whatever its row says.
      select count(*) filter (where id < ${workerId}) as place, count(*) filter (where id <> ${workerId}) + 1 as workers
      from tickmark.workers w
      where ${workerIsAlive()}
    ) share
    where t.status = 'processing' and a.run_id is not null
      and ((hashtext(a.id::text)::bigint & 2147483647) % share.workers = share.place
        or t.lease_expires_at is null
        or t.lease_expires_at < clock_timestamp()
          + ${ALL_WATCH_BELOW}::float8 * make_interval(secs => coalesce(g.lease_seconds, ${leaseSeconds}::float8)))`;
}

/** The runs that are to be stopped because somebody cancelled their task. */
export async function listCancelling(db: Queryable, limit: number): Promise<WatchedRun[]> {
  const { rows } = await db.execute<WatchedRow>(sql`
    /* queue.list_cancelling */
    select a.task_id, a.id, a.run_id, ${BEGUN}
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
    begun: begunWithin(row),
  }));
}
