import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { foldTasks } from './fold-tasks';

/** Any number, the same in every worker: one folds at a time. */
export const FIGURES_LOCK = 7_305_511_806;
/** Changes that are folded in one transaction. */
const BATCH = 5_000;
/** An event's id is taken before its transaction has a number of its own: so much earlier at most. */
const SETTLED_AFTER = sql`interval '2 seconds'`;

export interface FoldOptions {
  readonly batch?: number;
  /** Another worker has folded within so many milliseconds: nothing is done. */
  readonly spacingMs?: number;
}

export interface FoldReport {
  /** Changes that were worked off. */
  readonly changes: number;
  /** There may be more. */
  readonly isMore: boolean;
}

/**
 * Brings `task_facts` and the hourly sums up to what the tasks' rows say, for all tasks that have changed since the last
 * time. What a task contributes is taken out as its fact says and put in as its rows say, in one transaction: so a task is
 * never counted twice, however often it is looked at.
 */
export async function foldOnce(
  db: Db,
  { batch = BATCH, spacingMs = 0 }: FoldOptions = {},
): Promise<FoldReport> {
  if (!(await isDue(db, spacingMs))) return { changes: 0, isMore: false };
  return withTransaction(db, async (tx) => {
    if (!(await tryFiguresLock(tx))) return { changes: 0, isMore: false };
    await noteEvents(tx);
    const { rows } = await tx.execute<{ id: string; task_id: string }>(sql`
      /* figures.changes */
      select id, task_id from tickmark.usage_changes order by id limit ${batch}`);
    if (rows.length > 0) {
      await foldTasks(tx, [...new Set(rows.map((row) => row.task_id))]);
      await tx.execute(sql`
        /* figures.forget_changes */
        delete from tickmark.usage_changes where id = any(${sql.param(rows.map((row) => row.id))}::bigint[])`);
    }
    return { changes: rows.length, isMore: rows.length >= batch };
  });
}

/** Whether anything has changed: an idle database is only read. */
async function isDue(db: Db, spacingMs: number): Promise<boolean> {
  const { rows } = await db.execute<{ is_due: boolean }>(sql`
    /* figures.is_due */
    select (exists (select from tickmark.usage_changes) or exists (select from tickmark.changed_by_event()))
      and s.folded_at <= clock_timestamp() - make_interval(secs => ${spacingMs}::float8 / 1000) as is_due
    from tickmark.usage_state s`);
  return rows[0]?.is_due ?? false;
}

/** Whether this transaction is now the only one that writes figures. */
export async function tryFiguresLock(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ got: boolean }>(sql`
    /* figures.lock */ select pg_try_advisory_xact_lock(${FIGURES_LOCK}) as got`);
  return rows[0]?.got ?? false;
}

/**
 * Writes the tasks of new events down as changed, and in the same statement which events those are: all that its snapshot
 * sees. Ids up to `after_id` are done with for good once every transaction that was open when they were noted has ended.
 */
export async function noteEvents(tx: Tx): Promise<void> {
  await tx.execute(sql`
    /* figures.note_events */
    with changed as (
      insert into tickmark.usage_changes (task_id)
      select distinct task_id from tickmark.changed_by_event()
    ),
    now as (
      select pg_current_snapshot() as snapshot, clock_timestamp() as at,
        coalesce((select max(e.id) from tickmark.task_events e), 0) as last_id
    ),
    settled as (
      select s.next_xmax::xid8 <= pg_snapshot_xmin(n.snapshot) and s.next_at < n.at - ${SETTLED_AFTER} as is_settled
      from tickmark.usage_state s, now n
    )
    update tickmark.usage_state s
    set snapshot = n.snapshot::text, folded_at = n.at,
      after_id = case when d.is_settled then s.next_after_id else s.after_id end,
      next_after_id = case when d.is_settled then n.last_id else s.next_after_id end,
      next_xmax = case when d.is_settled then pg_snapshot_xmax(n.snapshot)::text else s.next_xmax end,
      next_at = case when d.is_settled then n.at else s.next_at end
    from now n, settled d`);
}
