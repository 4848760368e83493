import { sql } from 'drizzle-orm';
import { storableText } from '@/lib/contract/text';
import type { Db, Queryable } from '@/lib/db/client';

/** A trace to be read now. */
export interface DueTrace {
  readonly attemptId: string;
  /** As its agent reports it, or as it was given. */
  readonly traceId: string | null;
  /** As it was given at the claim; null for one that was expected before that was noted. */
  readonly ownTraceId: string | null;
  readonly reads: number;
  /** False where the attempt ended, or was given back, before it had a run: then there is no trace. */
  readonly hasRun: boolean;
  /** Since its attempt was dispatched. */
  readonly runSeconds: number;
  /** Since its attempt ended, or its run, if that went on; null while it goes on. */
  readonly overSeconds: number | null;
  /** Whether its run says that all of it was sent; null where it does not say. */
  readonly wasExported: boolean | null;
}

/** Notes that the run of an attempt was told to record a trace. Again for one that is submitted again: nothing changes. */
export async function expectTrace(
  db: Queryable,
  {
    attemptId,
    taskId,
    traceId,
  }: { readonly attemptId: string; readonly taskId: string; readonly traceId: string },
): Promise<void> {
  await db.execute(sql`
    /* usage.expect_trace */
    insert into tickmark.attempt_traces (attempt_id, task_id, trace_id, next_read_at)
    values (${attemptId}::uuid, ${taskId}::uuid, ${traceId}, clock_timestamp() + interval '2 seconds')
    on conflict (attempt_id) do nothing`);
}

/**
 * Takes traces that are due, oldest first, for `leaseSeconds`: a worker that dies with them gives them back by that. What is
 * taken by another is left to it.
 */
export async function takeDueTraces(
  db: Db,
  { limit, leaseSeconds }: { readonly limit: number; readonly leaseSeconds: number },
): Promise<DueTrace[]> {
  const { rows } = await db.execute<{
    attempt_id: string;
    trace_id: string | null;
    own_trace_id: string | null;
    reads: number;
    has_run: boolean;
    run_seconds: number;
    over_seconds: number | null;
    was_exported: boolean | null;
  }>(sql`
    /* usage.take_due_traces */
    with due as materialized (
      select attempt_id from tickmark.attempt_traces
      where next_read_at <= clock_timestamp()
      order by next_read_at
      limit ${limit}
      for update skip locked
    ),
    taken as (
      update tickmark.attempt_traces t
      set next_read_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::float8), reads = t.reads + 1
      from due
      where t.attempt_id = due.attempt_id
      returning t.attempt_id, t.reads, t.trace_id as own_trace_id
    )
    select t.attempt_id, t.reads, t.own_trace_id, a.trace_id, a.id is not null and (a.run_id is not null or a.finished_at is null) as has_run,
      coalesce(extract(epoch from clock_timestamp() - a.dispatched_at), 0)::float8 as run_seconds,
      case when a.finished_at is not null or a.id is null then
        coalesce(extract(epoch from clock_timestamp() - greatest(a.finished_at, a.run_stopped_at)), 0)::float8
      end as over_seconds,
      (a.usage->>'traceExported')::boolean as was_exported
    from taken t
    left join tickmark.task_attempts a on a.id = t.attempt_id`);
  return rows.map((row) => ({
    attemptId: row.attempt_id,
    traceId: row.trace_id,
    ownTraceId: row.own_trace_id,
    reads: row.reads,
    hasRun: row.has_run,
    runSeconds: row.run_seconds,
    overSeconds: row.over_seconds,
    wasExported: row.was_exported,
  }));
}

/** Gives traces back that could not be read, for `seconds`, and notes why. */
export async function postponeTraces(
  db: Queryable,
  attemptIds: readonly string[],
  { seconds, error }: { readonly seconds: number; readonly error: string },
): Promise<void> {
  if (attemptIds.length === 0) return;
  await db.execute(sql`
    /* usage.postpone_traces */
    update tickmark.attempt_traces
    set next_read_at = clock_timestamp() + make_interval(secs => ${seconds}::float8), error = left(${storableText(error)}, 500)
    where attempt_id = any(${sql.param([...attemptIds])}::uuid[])`);
}

/** Forgets a trace that there never was: its attempt was given back before a run began, or is gone. */
export async function forgetTrace(db: Queryable, attemptId: string): Promise<void> {
  await db.execute(sql`
    /* usage.forget_trace */
    delete from tickmark.attempt_traces where attempt_id = ${attemptId}::uuid`);
}
