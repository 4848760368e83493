import { type SQL, sql } from 'drizzle-orm';
import type { AttemptStatus, TaskStatus } from '@/lib/contract/api';
import type { Tx } from '@/lib/db/client';

/** What a decision about a task rests on; it holds until the transaction ends. */
export interface LockedTask {
  readonly id: string;
  readonly agentId: string;
  readonly status: TaskStatus;
  readonly currentAttemptId: string | null;
  /** Of a claim without a run: the worker that has it in hand. */
  readonly lockedBy: string | null;
  readonly cancelRequested: boolean;
  readonly attemptCount: number;
  readonly maxAttempts: number;
  readonly lostCount: number;
}

/** Which attempt a delivery or a dispatch is about, read after the lock. */
export interface AttemptOfTask {
  readonly id: string;
  readonly status: AttemptStatus;
  readonly runId: string | null;
}

/** Whether a worker may still say that an attempt did not start: nobody has taken its claim over, or started it. */
export function isInHand(
  { task, attempt }: { task: LockedTask; attempt: AttemptOfTask },
  workerId: string,
): boolean {
  return task.currentAttemptId === attempt.id && attempt.runId === null && task.lockedBy === workerId;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text can be compared with an id at all. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Locks a task's row until the transaction ends; null when there is no such task. */
export async function lockTask(tx: Tx, taskId: string): Promise<LockedTask | null> {
  if (!isUuid(taskId)) return null;
  const [task] = await lockWhere(tx, sql`t.id = ${taskId}::uuid`);
  return task ?? null;
}

/** The same for several, in the order of their ids, so that nobody deadlocks; what is no known task is missing. */
export async function lockTasks(tx: Tx, taskIds: readonly string[]): Promise<LockedTask[]> {
  const ids = taskIds.filter(isUuid);
  if (ids.length === 0) return [];
  return lockWhere(tx, sql`t.id = any(${sql.param(ids)}::uuid[])`);
}

/** Locks the task of an attempt, then reads the attempt: in this order everywhere, so that nobody deadlocks. */
export async function lockTaskOfAttempt(
  tx: Tx,
  attemptId: string,
): Promise<{ task: LockedTask; attempt: AttemptOfTask } | null> {
  if (!isUuid(attemptId)) return null;
  // An attempt never changes its task, so this may be read before the lock.
  const [task] = await lockWhere(
    tx,
    sql`t.id = (select a.task_id from tickmark.task_attempts a where a.id = ${attemptId}::uuid)`,
  );
  const { rows } = await tx.execute<{ id: string; status: AttemptStatus; run_id: string | null }>(sql`
    /* queue.attempt */
    select id, status, run_id from tickmark.task_attempts where id = ${attemptId}::uuid`);
  if (!task || !rows[0]) return null;
  const { id, status, run_id } = rows[0];
  return { task, attempt: { id, status, runId: run_id } };
}

async function lockWhere(tx: Tx, condition: SQL): Promise<LockedTask[]> {
  const { rows } = await tx.execute<{
    id: string;
    agent_id: string;
    status: TaskStatus;
    current_attempt_id: string | null;
    locked_by: string | null;
    cancel_requested: boolean;
    attempt_count: number;
    max_attempts: number;
    lost_count: number;
  }>(sql`
    /* queue.lock_tasks */
    select t.id, t.agent_id, t.status, t.current_attempt_id, t.locked_by, t.cancel_requested_at is not null as cancel_requested,
      t.attempt_count, t.max_attempts, t.lost_count
    from tickmark.tasks t
    where ${condition}
    order by t.id
    for update of t`);
  return rows.map((row) => ({
    id: row.id,
    agentId: row.agent_id,
    status: row.status,
    currentAttemptId: row.current_attempt_id,
    lockedBy: row.locked_by,
    cancelRequested: row.cancel_requested,
    attemptCount: row.attempt_count,
    maxAttempts: row.max_attempts,
    lostCount: row.lost_count,
  }));
}
