import { type SQL, sql } from 'drizzle-orm';
import type { BulkAction } from '@/lib/contract/api-bulk';
import type { Queryable, Tx } from '@/lib/db/client';
import { isConnectionLoss } from '@/lib/db/connection-loss';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { noteBefore, takeBack } from './bulk-undo';
import { cancelTasks } from './cancel';
import { lockTasks } from './lock-task';
import { setPriorities } from './prioritise';
import { retryTasks } from './retry-task';

export interface NewBulk {
  readonly action: BulkAction;
  /** Needed by `reprioritise`, null for the others. */
  readonly priority: number | null;
  /** The operation that this one takes back, with the priorities from before it. */
  readonly undoes?: string;
  readonly actor: string;
  /** A query of task ids (`id`), in the order in which they are to be dealt with. */
  readonly tasks: SQL;
  /** What was asked for by these must still be so when its turn comes. */
  readonly only?: {
    readonly statuses?: readonly string[] | undefined;
    readonly errorCodes?: readonly string[] | undefined;
  };
}

/** More are refused: choosing them would hold its snapshot for too long. */
export const MAX_BULK_TASKS = 1_000_000;
/** Rows that are locked at once. */
const BATCH = 500;
const MAX_FAILURES = 5;

/**
 * Opens an operation on the tasks that the query finds now; workers carry it out. Nothing happens to a task before its
 * turn, and one that has moved on by then is skipped. Throws `unprocessable` for more than {@link MAX_BULK_TASKS}.
 */
export async function openBulk(
  db: Queryable,
  { action, priority, undoes, actor, tasks, only }: NewBulk,
): Promise<{ id: string; total: number }> {
  return withTransaction(db, async (tx) => {
    const opened = await tx.execute<{ id: string }>(sql`
      /* queue.open_bulk */
      insert into tickmark.bulk_operations (action, priority, undoes, actor, total, only_statuses, only_error_codes)
      values (${action}, ${priority}, ${undoes ?? null}::uuid, ${actor}, 0, ${listOrNull(only?.statuses)}::text[],
        ${listOrNull(only?.errorCodes)}::text[])
      returning id`);
    const id = opened.rows[0]?.id ?? '';
    const chosen = await tx.execute<{ total: number }>(sql`
      /* queue.choose_bulk */
      with chosen as (
        insert into tickmark.bulk_operation_tasks (operation_id, position, task_id)
        select ${id}::uuid, row_number() over (), t.id
        from (${tasks}) t
        limit ${MAX_BULK_TASKS + 1}
        returning 1
      )
      select count(*)::integer as total from chosen`);
    const total = chosen.rows[0]?.total ?? 0;
    if (total > MAX_BULK_TASKS) {
      const most = MAX_BULK_TASKS.toLocaleString('en');
      throw new DomainError('unprocessable', `These are more than ${most} tasks. Choose fewer at once.`);
    }
    await tx.execute(sql`
      /* queue.set_bulk_total */
      update tickmark.bulk_operations
      set total = ${total}, status = case when ${total} = 0 then 'done' else status end,
        finished_at = case when ${total} = 0 then clock_timestamp() end
      where id = ${id}::uuid`);
    return { id, total };
  });
}

interface OpenBulk {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly action: BulkAction;
  readonly priority: number | null;
  readonly undoes: string | null;
  readonly actor: string;
  readonly done: number;
  readonly only_statuses: string[] | null;
  readonly only_error_codes: string[] | null;
}

/**
 * Does one batch of the open operation whose turn it is, with its progress, in one transaction. The operation's row is
 * locked meanwhile, and that is the whole claim: other workers take other operations, and when this process dies the
 * server gives the row back with the batch undone. An operation that fails five times at the same batch is given up.
 */
export async function workBulk(
  db: Queryable,
  { batch = BATCH }: { batch?: number } = {},
): Promise<'worked' | 'idle'> {
  let operationId: string | undefined;
  try {
    return await withTransaction(db, async (tx) => {
      const operation = await takeTurn(tx);
      operationId = operation?.id;
      if (!operation) return 'idle';
      const inTurn = await takeBatch(tx, operation, batch);
      const taskIds = await stillMeant(tx, operation, inTurn);
      if (!operation.undoes) await noteBefore(tx, { ...operation, operationId: operation.id, taskIds });
      const changed = await act(tx, operation, taskIds);
      await noteProgress(tx, operation.id, inTurn.length, changed, inTurn.length < batch);
      return 'worked';
    });
  } catch (error) {
    if (operationId && !isConnectionLoss(error)) await noteFailure(db, operationId);
    throw error;
  }
}

async function takeTurn(tx: Tx): Promise<OpenBulk | undefined> {
  const { rows } = await tx.execute<OpenBulk>(sql`
    /* queue.take_bulk */
    select id, action, priority, undoes, actor, done, only_statuses, only_error_codes
    from tickmark.bulk_operations
    where finished_at is null
    order by turn_at nulls first, created_at
    limit 1
    for update skip locked`);
  return rows[0];
}

async function takeBatch(tx: Tx, { id, done }: OpenBulk, batch: number): Promise<string[]> {
  const { rows } = await tx.execute<{ task_id: string }>(sql`
    /* queue.take_bulk_tasks */
    delete from tickmark.bulk_operation_tasks
    where operation_id = ${id}::uuid and position > ${done} and position <= ${done + batch}
    returning task_id`);
  return rows.map(({ task_id }) => task_id);
}

/** Those that are still what was asked for: who cancels what waits does not mean what has begun to run since. */
async function stillMeant(tx: Tx, operation: OpenBulk, taskIds: string[]): Promise<string[]> {
  const { only_statuses: statuses, only_error_codes: errorCodes } = operation;
  if (!statuses && !errorCodes) return taskIds;
  await lockTasks(tx, taskIds);
  const { rows } = await tx.execute<{ id: string }>(sql`
    /* queue.still_meant */
    select t.id
    from unnest(${sql.param(taskIds)}::uuid[]) with ordinality as chosen (id, position)
    join tickmark.tasks t on t.id = chosen.id
    where (${listOrNull(statuses)}::text[] is null or t.status::text = any(${listOrNull(statuses)}::text[]))
      and (${listOrNull(errorCodes)}::text[] is null or t.error_code = any(${listOrNull(errorCodes)}::text[]))
    order by chosen.position`);
  return rows.map(({ id }) => id);
}

const listOrNull = (list: readonly string[] | null | undefined) => (list ? sql.param([...list]) : sql`null`);

function act(tx: Tx, operation: OpenBulk, taskIds: readonly string[]): Promise<number> {
  const { action, priority, undoes, actor } = operation;
  if (undoes) return takeBack(tx, { operationId: undoes, taskIds, action, actor });
  switch (action) {
    case 'cancel':
      return cancelTasks(tx, { taskIds, actor });
    case 'retry':
      return retryTasks(tx, { taskIds, actor });
    case 'reprioritise':
      if (priority === null) throw new Error('a bulk reprioritise without a priority');
      return setPriorities(tx, { taskIds, priority, actor });
  }
}

async function noteProgress(
  tx: Tx,
  id: string,
  done: number,
  changed: number,
  isLast: boolean,
): Promise<void> {
  await tx.execute(sql`
    /* queue.note_bulk_progress */
    update tickmark.bulk_operations
    set done = done + ${done}, changed = changed + ${changed}, failures = 0, turn_at = clock_timestamp(),
      status = case when ${isLast} or done + ${done} >= total then 'done' else 'running' end,
      finished_at = case when ${isLast} or done + ${done} >= total then clock_timestamp() end
    where id = ${id}::uuid`);
}

async function noteFailure(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`
    /* queue.note_bulk_failure */
    update tickmark.bulk_operations
    set failures = failures + 1, turn_at = clock_timestamp(),
      status = case when failures + 1 >= ${MAX_FAILURES} then 'failed' else status end,
      error_message = case when failures + 1 >= ${MAX_FAILURES}
        then 'Stopped after several errors at the same tasks; the worker''s log names them. What is done stays done.' end,
      finished_at = case when failures + 1 >= ${MAX_FAILURES} then clock_timestamp() end
    where id = ${id}::uuid and finished_at is null`);
}
