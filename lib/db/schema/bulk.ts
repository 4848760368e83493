import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { at, tickmark } from './schema';

/** One action on many tasks, carried out by workers batch by batch. */
export const bulkOperations = tickmark.table(
  'bulk_operations',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    action: text('action').notNull(),
    /** The new one, for `reprioritise`. */
    priority: integer('priority'),
    /** Who asked for it; also the actor in the tasks' histories. */
    actor: text('actor').notNull(),
    status: text('status').notNull().default('waiting'),
    /** Tasks selected, looked at so far, and changed of these. */
    total: integer('total').notNull(),
    done: integer('done').notNull().default(0),
    changed: integer('changed').notNull().default(0),
    /** Errors in a row at the same batch. */
    failures: integer('failures').notNull().default(0),
    errorMessage: text('error_message'),
    /** Only what is in one of these statuses, or has one of these errors, when its turn comes; null: whatever. */
    onlyStatuses: text('only_statuses').array(),
    onlyErrorCodes: text('only_error_codes').array(),
    /** The operation that this one takes back. */
    undoes: uuid('undoes'),
    createdAt: at('created_at').notNull().defaultNow(),
    /** When its last batch was; operations take turns. */
    turnAt: at('turn_at'),
    finishedAt: at('finished_at'),
  },
  (t) => [
    check('bulk_operations_action', sql`${t.action} in ('cancel', 'retry', 'reprioritise')`),
    check(
      'bulk_operations_priority',
      sql`(${t.priority} is not null) = (${t.action} = 'reprioritise' and ${t.undoes} is null) and ${t.priority} between 0 and 100`,
    ),
    check('bulk_operations_status', sql`${t.status} in ('waiting', 'running', 'done', 'failed')`),
    check(
      'bulk_operations_finished',
      sql`(${t.finishedAt} is not null) = (${t.status} in ('done', 'failed'))`,
    ),
    check(
      'bulk_operations_progress',
      sql`0 <= ${t.changed} and ${t.changed} <= ${t.done} and ${t.done} <= ${t.total}`,
    ),
    check('bulk_operations_undoes', sql`${t.undoes} is null or ${t.action} in ('retry', 'reprioritise')`),
    // Taken back once; what failed may be tried again.
    uniqueIndex('bulk_operations_undo').on(t.undoes).where(sql`undoes is not null and status <> 'failed'`),
    index('bulk_operations_open')
      .on(t.turnAt.asc().nullsFirst(), t.createdAt)
      .where(sql`finished_at is null`),
  ],
);

/**
 * What is left to do of an operation: the tasks chosen when it was asked for, in order; what came later is not caught.
 * A row goes with the batch that does it. No foreign keys: a task that is gone by then is skipped, and checking a million
 * rows would make the choosing long.
 */
export const bulkOperationTasks = tickmark.table(
  'bulk_operation_tasks',
  {
    operationId: uuid('operation_id').notNull(),
    position: integer('position').notNull(),
    taskId: uuid('task_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.operationId, t.position] })],
);

/** How tasks were before an operation changed them, for as long as it can be taken back. */
export const bulkUndo = tickmark.table(
  'bulk_undo',
  {
    operationId: uuid('operation_id').notNull(),
    taskId: uuid('task_id').notNull(),
    priority: integer('priority').notNull(),
  },
  (t) => [primaryKey({ columns: [t.operationId, t.taskId] })],
);
