import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { isFinal, TRANSITIONS, type TransitionName } from './states';

export interface Move {
  readonly taskId: string;
  /** The attempt that the step is about; it ends as the transition says. */
  readonly attemptId?: string;
  readonly actor: string;
  readonly reason: string;
  /** Further columns of the task, as `column = expression, …`. */
  readonly set?: SQL;
  /** Further columns of the attempt. */
  readonly setAttempt?: SQL;
}

/**
 * Takes one task one legal step on, with its attempt and its history, in one statement. The one place that writes a
 * status after the claim. A live attempt that the step is not about is superseded: its run may still be going on.
 * Callers hold the task's row lock, so that what they decided on still holds.
 * @returns false when the task was not in a status from which the step is legal: nothing has changed
 */
export async function moveTask(
  db: Queryable,
  name: Exclude<TransitionName, 'claim'>,
  move: Move,
): Promise<boolean> {
  const { from, to, attempt } = TRANSITIONS[name];
  const attemptId = move.attemptId ?? null;
  const { rows } = await db.execute(sql`
    /* queue.move */
    with task as materialized (
      select id, status, current_attempt_id
      from tickmark.tasks
      where id = ${move.taskId}::uuid
        and status = any(${sql.param(`{${from.join(',')}}`)}::tickmark.task_status[])
      for update
    ),
    moved as (
      update tickmark.tasks t
      set status = ${to}::tickmark.task_status,
        current_attempt_id = null,
        lease_expires_at = null,
        locked_by = ${to === 'enqueued' ? sql`null` : sql`t.locked_by`},
        finished_at = ${isFinal(to) ? sql`clock_timestamp()` : sql`null`}
        ${move.set ? sql`, ${move.set}` : sql``}
      from task
      where t.id = task.id
      returning t.id
    ),
    ended as (
      update tickmark.task_attempts a
      set status = ${attempt}::tickmark.attempt_status,
        finished_at = clock_timestamp()
        ${move.setAttempt ? sql`, ${move.setAttempt}` : sql``}
      from task
      where a.id = ${attemptId}::uuid and a.task_id = task.id
    ),
    superseded as (
      update tickmark.task_attempts a
      set status = 'superseded', finished_at = clock_timestamp()
      from task
      where a.id = task.current_attempt_id and a.id is distinct from ${attemptId}::uuid and a.status in ('claimed', 'running')
    )
    insert into tickmark.task_events (task_id, attempt_id, from_status, to_status, actor, reason)
    select task.id, ${attemptId}::uuid, task.status, ${to}::tickmark.task_status, ${move.actor}, ${move.reason}
    from task
    returning id`);
  return rows.length > 0;
}
