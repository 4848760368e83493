import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import type { BegunWithin } from '@/lib/platform/job-runner/port';
import { BEGUN, type BegunColumns, begunWithin } from './lease';

/** An attempt that no longer acts for its task, but whose run is not known to have stopped. */
export interface UnstoppedRun {
  readonly attemptId: string;
  readonly runId: string | null;
  /** Old enough that a run without an id surely would have shown itself. */
  readonly overdue: boolean;
  readonly begun: BegunWithin;
}

/** A submission that takes longer than this is over, whatever became of it. */
const SUBMIT_SECONDS = 120;

/** Superseded attempts that still count against the limits. */
export async function listUnstopped(db: Queryable, limit: number): Promise<UnstoppedRun[]> {
  const { rows } = await db.execute<
    BegunColumns & { id: string; run_id: string | null; overdue: boolean }
  >(sql`
    /* queue.list_unstopped */
    select id, run_id, ${BEGUN}, finished_at < clock_timestamp() - make_interval(secs => ${SUBMIT_SECONDS}) as overdue
    from tickmark.task_attempts a
    where finished_at is not null and run_stopped_at is null and status = 'superseded'
    order by finished_at
    limit ${limit}`);
  return rows.map((row) => ({
    attemptId: row.id,
    runId: row.run_id,
    overdue: row.overdue,
    begun: begunWithin(row),
  }));
}

/**
 * Notes that a run has stopped: its slot and tokens are free. Not where the attempt has another run by now than the one
 * that was asked about: a submission that took very long has just been recorded.
 */
export async function markStopped(
  db: Queryable,
  { attemptId, runId }: Pick<UnstoppedRun, 'attemptId' | 'runId'>,
): Promise<void> {
  await db.execute(sql`
    /* queue.mark_stopped */
    update tickmark.task_attempts
    set run_stopped_at = clock_timestamp()
    where id = ${attemptId}::uuid and run_stopped_at is null and run_id is not distinct from ${runId}`);
}

/** All live attempts are read for it, so once in so long, whoever comes first. */
const STRAYS_EVERY_SECONDS = 60;

/**
 * Supersedes live attempts that are not the current one of their task: whoever changed the task by hand left them
 * behind, and their runs go on. One that keeps its task from being claimed is superseded by that claim at once.
 */
export async function supersedeStrays(db: Queryable): Promise<number> {
  const { rows } = await db.execute(sql`
    /* queue.supersede_strays */
    with due as materialized (
      update tickmark.settings set strays_checked_at = clock_timestamp()
      where id = 1 and strays_checked_at < clock_timestamp() - make_interval(secs => ${STRAYS_EVERY_SECONDS})
      returning id
    ),
    stray as (
      update tickmark.task_attempts a
      set status = 'superseded', finished_at = clock_timestamp()
      from tickmark.tasks t
      where exists (select from due)
        and a.finished_at is null and t.id = a.task_id and t.current_attempt_id is distinct from a.id
      returning a.id, a.task_id, t.status
    )
    insert into tickmark.task_events (task_id, attempt_id, from_status, to_status, actor, reason)
    select task_id, id, status, status, 'sweeper', 'an attempt left behind is superseded' from stray
    returning attempt_id`);
  return rows.length;
}
