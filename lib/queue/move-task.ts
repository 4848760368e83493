import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { isFinal, TRANSITIONS, type TransitionName } from './states';
import { noteSteps } from './steps-taken';

/** What a step is about. */
export interface MovedTask {
  readonly taskId: string;
  /** The attempt that the step is about; it ends as the transition says. */
  readonly attemptId?: string;
  /** What `set` and `setAttempt` may read of this task as `task.data`, a JSON object. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** How it is taken, the same for all tasks of one statement. */
export interface MoveHow {
  readonly actor: string;
  readonly reason: string;
  /** Further columns of the task, as `column = expression, …`. */
  readonly set?: SQL;
  /** Further columns of the attempt. */
  readonly setAttempt?: SQL;
}

type Step = Exclude<TransitionName, 'claim'>;

/** {@link moveTasks} for one; false when the task was not in a status from which the step is legal. */
export async function moveTask(db: Queryable, name: Step, move: MovedTask & MoveHow): Promise<boolean> {
  return (await moveTasks(db, name, [move], move)).length > 0;
}

/**
 * Takes tasks one legal step on, with their attempts and their history, in one statement. The one place that writes a
 * status after the claim. A live attempt that the step is not about is superseded: its run may still be going on.
 * Callers hold the rows' locks, so that what they decided on still holds.
 * @returns the ids of those that moved; of the others nothing has changed
 */
export async function moveTasks(
  db: Queryable,
  name: Step,
  moves: readonly MovedTask[],
  how: MoveHow,
): Promise<string[]> {
  if (moves.length === 0) return [];
  const { from, to, attempt } = TRANSITIONS[name];
  const wanted = moves.map(({ taskId, attemptId = null, data = null }) => ({
    task_id: taskId,
    attempt_id: attemptId,
    data,
  }));
  // `= any`, not `=`: a plain status would make the planner walk the partial index of all that is in processing.
  const { rows } = await db.execute<{ task_id: string }>(sql`
    /* queue.move */
    with task as materialized (
      select t.id, t.status, t.current_attempt_id, w.attempt_id, w.data
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w (task_id uuid, attempt_id uuid, data jsonb)
      join tickmark.tasks t on t.id = w.task_id
      where t.status = any(${sql.param(`{${from.join(',')}}`)}::tickmark.task_status[])
      order by t.id
      for update of t
    ),
    moved as (
      update tickmark.tasks t
      set status = ${to}::tickmark.task_status,
        current_attempt_id = null,
        lease_expires_at = null,
        locked_by = ${to === 'enqueued' ? sql`null` : sql`t.locked_by`},
        finished_at = ${isFinal(to) ? sql`clock_timestamp()` : sql`null`}
        ${how.set ? sql`, ${how.set}` : sql``}
      from task
      where t.id = task.id
      returning t.id
    ),
    ended as (
      update tickmark.task_attempts a
      set status = ${attempt}::tickmark.attempt_status,
        finished_at = clock_timestamp()
        ${how.setAttempt ? sql`, ${how.setAttempt}` : sql``}
      from task
      where a.id = task.attempt_id and a.task_id = task.id
    ),
    superseded as (
      update tickmark.task_attempts a
      set status = 'superseded', finished_at = clock_timestamp()
      from task
      where a.id = task.current_attempt_id and a.id is distinct from task.attempt_id and a.status in ('claimed', 'running')
    )
    insert into tickmark.task_events (task_id, attempt_id, from_status, to_status, actor, reason)
    select task.id, task.attempt_id, task.status, ${to}::tickmark.task_status, ${how.actor}, ${how.reason}
    from task
    returning task_id`);
  noteSteps(name, rows.length);
  return rows.map(({ task_id }) => task_id);
}
