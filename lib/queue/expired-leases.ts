import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import type { BegunWithin } from '@/lib/platform/job-runner/port';
import { type ClaimedRow, type ClaimedTask, claimedTask } from './claim';
import { BEGUN, type BegunColumns, begunWithin } from './lease';

/** Beyond an agent's `max_run_seconds` the runner has so long to end a run by itself. */
const DEADLINE_GRACE_SECONDS = 30;
/** A worker that gave no sign for so long and holds no session is not at work on a claim. */
const SILENT_SECONDS = 30;

/** A task in `processing` that nobody looks after, taken by whoever asks now. */
export interface TakenTask {
  readonly taskId: string;
  /** null: it has no live attempt, somebody set its status by hand. */
  readonly attempt:
    | (ClaimedTask & {
        readonly runId: string | null;
        readonly begun: BegunWithin;
        readonly pastDeadline: boolean;
        /** Workers that were lost while they dispatched it. */
        readonly dispatchCrashes: number;
      })
    | null;
}

/** Who takes. */
export interface Taker {
  /** Its name then stands on claims without a run, for the case that it is lost in turn. */
  readonly workerId: string;
  /** For agents without a lease of their own. */
  readonly leaseSeconds: number;
}

/**
 * Takes tasks whose lease has run out, by giving each a new one: of several sweepers each gets others, and what one
 * takes and then dies with is taken again one lease later. Nothing about the task changes yet.
 */
export function takeExpired(
  db: Queryable,
  { limit, ...taker }: Taker & { readonly limit: number },
): Promise<TakenTask[]> {
  return take(
    db,
    taker,
    sql`
      select id, locked_by from tickmark.tasks
      where status = 'processing' and (lease_expires_at is null or lease_expires_at <= clock_timestamp())
      limit ${limit}
      for update skip locked`,
  );
}

/** Takes, in the same way, the undispatched claims of workers that are lost, whatever their leases say. */
export function takeClaimsOf(
  db: Queryable,
  { lost, ...taker }: Taker & { readonly lost: readonly string[] },
): Promise<TakenTask[]> {
  return take(
    db,
    taker,
    sql`
      select id, locked_by from tickmark.tasks
      where status = 'processing' and locked_by = any(${sql.param([...lost])}::text[])
      for update skip locked`,
  );
}

async function take(db: Queryable, taker: Taker, which: SQL): Promise<TakenTask[]> {
  const { rows } = await db.execute<
    Omit<ClaimedRow, 'attempt_id'> &
      BegunColumns & {
        attempt_id: string | null;
        run_id: string | null;
        past_deadline: boolean;
        dispatch_crashes: number;
      }
  >(sql`
    /* queue.take */
    with left_alone as materialized (${which}),
    taken as (
      update tickmark.tasks t
      set lease_expires_at = clock_timestamp() + make_interval(secs => coalesce(g.lease_seconds, ${taker.leaseSeconds}::float8)),
        locked_by = case when a.run_id is null then ${taker.workerId} else t.locked_by end
      from left_alone l
      join tickmark.tasks same on same.id = l.id
      join tickmark.agents g on g.id = same.agent_id
      left join tickmark.task_attempts a on a.id = same.current_attempt_id and a.status in ('claimed', 'running')
      where t.id = l.id
      returning t.id, t.agent_id, t.document_id, t.input, t.priority, g.max_run_seconds, t.current_attempt_id,
        a.run_id is null and not exists (
          select from tickmark.workers w
          where w.id = l.locked_by and w.lost_at is null
            and w.heartbeat_at > clock_timestamp() - make_interval(secs => ${SILENT_SECONDS})
        ) as crashed
    ),
    counted as (
      update tickmark.task_attempts a set dispatch_crashes = a.dispatch_crashes + 1
      from taken t where t.crashed and a.id = t.current_attempt_id and a.status = 'claimed'
    )
    select t.id as task_id, a.id as attempt_id, a.number, t.agent_id, a.agent_version, t.document_id, t.input,
      a.trace_id, t.max_run_seconds, t.priority, a.run_id, ${BEGUN}, a.dispatch_crashes + t.crashed::integer as dispatch_crashes,
      coalesce(a.dispatched_at, a.claimed_at)
        + make_interval(secs => t.max_run_seconds + ${DEADLINE_GRACE_SECONDS}::float8) < clock_timestamp() as past_deadline
    from taken t
    left join tickmark.task_attempts a on a.id = t.current_attempt_id and a.status in ('claimed', 'running')`);
  return rows.map(({ attempt_id: attemptId, ...row }) => ({
    taskId: row.task_id,
    attempt: attemptId
      ? {
          ...claimedTask({ ...row, attempt_id: attemptId }),
          runId: row.run_id,
          begun: begunWithin(row),
          pastDeadline: row.past_deadline,
          dispatchCrashes: row.dispatch_crashes,
        }
      : null,
  }));
}
