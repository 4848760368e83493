import { type SQL, sql } from 'drizzle-orm';
import type { AttemptStatus, TaskStatus } from '@/lib/contract/api';
import type { Tx } from '@/lib/db/client';

/** What a decision about a task rests on; it holds until the transaction ends. */
export interface LockedTask {
  readonly id: string;
  readonly agentId: string;
  readonly status: TaskStatus;
  readonly currentAttemptId: string | null;
  readonly cancelRequested: boolean;
  readonly attemptCount: number;
  readonly maxAttempts: number;
  readonly lostCount: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Locks a task's row until the transaction ends; null when there is no such task. */
export async function lockTask(tx: Tx, taskId: string): Promise<LockedTask | null> {
  return UUID.test(taskId) ? lockWhere(tx, sql`id = ${taskId}::uuid`) : null;
}

async function lockWhere(tx: Tx, condition: SQL): Promise<LockedTask | null> {
  const { rows } = await tx.execute<{
    id: string;
    agent_id: string;
    status: TaskStatus;
    current_attempt_id: string | null;
    cancel_requested: boolean;
    attempt_count: number;
    max_attempts: number;
    lost_count: number;
  }>(sql`
    /* queue.lock_task */
    select id, agent_id, status, current_attempt_id, cancel_requested_at is not null as cancel_requested,
      attempt_count, max_attempts, lost_count
    from tickmark.tasks
    where ${condition}
    for update`);
  const row = rows[0];
  if (!row) return null;
  return {
    id: row.id,
    agentId: row.agent_id,
    status: row.status,
    currentAttemptId: row.current_attempt_id,
    cancelRequested: row.cancel_requested,
    attemptCount: row.attempt_count,
    maxAttempts: row.max_attempts,
    lostCount: row.lost_count,
  };
}

/** Which attempt a delivery or a dispatch is about, read after the lock. */
export interface AttemptOfTask {
  readonly id: string;
  readonly status: AttemptStatus;
  readonly runId: string | null;
}

/** Locks the task of an attempt, then reads the attempt: in this order everywhere, so that nobody deadlocks. */
export async function lockTaskOfAttempt(
  tx: Tx,
  attemptId: string,
): Promise<{ task: LockedTask; attempt: AttemptOfTask } | null> {
  if (!UUID.test(attemptId)) return null;
  // An attempt never changes its task, so this may be read before the lock.
  const task = await lockWhere(
    tx,
    sql`id = (select a.task_id from tickmark.task_attempts a where a.id = ${attemptId}::uuid)`,
  );
  if (!task) return null;
  const { rows } = await tx.execute<{ id: string; status: AttemptStatus; run_id: string | null }>(sql`
    /* queue.attempt */
    select id, status, run_id from tickmark.task_attempts where id = ${attemptId}::uuid`);
  const row = rows[0];
  return row ? { task, attempt: { id: row.id, status: row.status, runId: row.run_id } } : null;
}
