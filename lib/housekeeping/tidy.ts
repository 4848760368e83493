import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';

/** Any number, the same in every worker: one tidies at a time. */
const TIDY_LOCK = 7_305_511_805;
/** Rows of one kind that go in one transaction. */
const BATCH = 1_000;
/** A worker that was killed is shown for so long. */
const GONE_WORKER_DAYS = 1;
/** A bulk operation can be taken back for so long. */
const UNDO_DAYS = 1;
/** What was learnt of an agent before its newest so many versions is of no use to anybody. */
const KEPT_ESTIMATES = 100;

export interface TidyOptions {
  /** Age from which on finished bulk operations and answers to an `Idempotency-Key` go. */
  readonly days: number;
  readonly batch?: number;
}

export interface TidyReport {
  /** Rows that went, by kind; only those of which any did. */
  readonly removed: Readonly<Record<string, number>>;
  /** A batch was full: there may be more. */
  readonly isMore: boolean;
}

/**
 * Removes rows that help the work and would otherwise pile up for ever, one batch of each kind in one transaction.
 * Never tasks, attempts, events, deliveries (one that comes again gets the answer of its first time) or the audit log.
 */
export async function tidyOnce(db: Db, { days, batch = BATCH }: TidyOptions): Promise<TidyReport> {
  return withTransaction(db, async (tx) => {
    const lock = await tx.execute<{ got: boolean }>(sql`
      /* housekeeping.lock */ select pg_try_advisory_xact_lock(${TIDY_LOCK}) as got`);
    const removed: Record<string, number> = {};
    if (!lock.rows[0]?.got) return { removed, isMore: false };
    for (const [kind, statement] of Object.entries(statements(days, batch))) {
      const { rowCount } = await tx.execute(statement);
      if (rowCount) removed[kind] = rowCount;
    }
    return { removed, isMore: Object.values(removed).some((count) => count >= batch) };
  });
}

function statements(days: number, batch: number): Record<string, SQL> {
  const before = (age: number) => sql`clock_timestamp() - make_interval(days => ${age}::int)`;
  return {
    // What an operation that was given up has left undone.
    bulkTasks: sql`
      /* housekeeping.bulk_tasks */
      delete from tickmark.bulk_operation_tasks
      where (operation_id, position) in (
        select t.operation_id, t.position
        from tickmark.bulk_operations o
        join tickmark.bulk_operation_tasks t on t.operation_id = o.id
        where o.finished_at < ${before(days)}
        limit ${batch}
      )`,
    // Nobody takes back what was done so long ago.
    bulkUndo: sql`
      /* housekeeping.bulk_undo */
      delete from tickmark.bulk_undo
      where (operation_id, task_id) in (
        select u.operation_id, u.task_id
        from tickmark.bulk_operations o
        join tickmark.bulk_undo u on u.operation_id = o.id
        where o.finished_at < ${before(Math.min(days, UNDO_DAYS))}
        limit ${batch}
      )`,
    bulkOperations: sql`
      /* housekeeping.bulk_operations */
      delete from tickmark.bulk_operations
      where id in (
        select o.id
        from tickmark.bulk_operations o
        where o.finished_at < ${before(days)}
          and not exists (select from tickmark.bulk_operation_tasks t where t.operation_id = o.id)
          and not exists (select from tickmark.bulk_undo u where u.operation_id = o.id)
        limit ${batch}
      )`,
    idempotencyKeys: sql`
      /* housekeeping.idempotency_keys */
      delete from tickmark.idempotency_keys
      where (scope, key) in (
        select k.scope, k.key from tickmark.idempotency_keys k where k.created_at < ${before(days)} limit ${batch}
      )`,
    workers: sql`
      /* housekeeping.workers */
      delete from tickmark.workers
      where id in (select w.id from tickmark.workers w where w.heartbeat_at < ${before(GONE_WORKER_DAYS)} limit ${batch})`,
    estimates: sql`
      /* housekeeping.estimates */
      delete from tickmark.agent_estimates
      where (agent_id, version) in (
        select e.agent_id, e.version
        from tickmark.agents g
        join tickmark.agent_estimates e on e.agent_id = g.id and e.version <= g.estimate_version - ${KEPT_ESTIMATES}::int
        limit ${batch}
      )`,
  };
}
