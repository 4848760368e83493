import { sql } from 'drizzle-orm';
import type { AttemptError } from '@/lib/contract/callback';
import type { Tx } from '@/lib/db/client';
import type { LockedTask } from './lock-task';
import { moveTask } from './move-task';
import { isOutageCode, readOutageOfTask } from './outage';
import { decideRetry, type RetryPolicy } from './retry';

export interface EndOfAttempt {
  readonly attemptId: string;
  /** `failed`: it said so. `lost`: its run is gone without a word. `superseded`: given up while it may still run. */
  readonly as: 'failed' | 'lost' | 'superseded';
  readonly error: AttemptError;
  readonly actor: string;
}

/**
 * Ends the current attempt of a locked task without success: the task is tried again, fails, or, where a cancel was
 * requested, is cancelled.
 */
export async function endAttempt(
  tx: Tx,
  task: LockedTask,
  end: EndOfAttempt,
): Promise<'enqueued' | 'failed' | 'cancelled'> {
  const { attemptId, actor, error } = end;
  const lostCount = end.as === 'lost' ? task.lostCount + 1 : 0;
  const setAttempt = sql`
    error_code = ${error.code}, error_message = ${error.message},
    run_stopped_at = ${end.as === 'superseded' ? sql`run_stopped_at` : sql`coalesce(run_stopped_at, clock_timestamp())`}`;

  if (task.cancelRequested) {
    const name = end.as === 'superseded' ? 'cancelSuperseded' : 'cancelStopped';
    await moveTask(tx, name, { taskId: task.id, attemptId, actor, reason: 'cancelled', setAttempt });
    return 'cancelled';
  }

  const decision = decideRetry({
    code: error.code,
    retryable: error.retryable,
    retryAfterSeconds: error.retryAfterSeconds,
    attemptCount: task.attemptCount,
    maxAttempts: task.maxAttempts,
    lostCount,
    outage: isOutageCode(error.code) ? await readOutageOfTask(tx, { taskId: task.id, attemptId }) : null,
    policy: await readPolicy(tx, task.agentId),
  });
  if (decision.kind === 'retry') {
    const name = ({ failed: 'retryFailed', lost: 'retryLost', superseded: 'retrySuperseded' } as const)[
      end.as
    ];
    await moveTask(tx, name, {
      taskId: task.id,
      attemptId,
      actor,
      reason: `${error.code}, tried again in ${Math.ceil(decision.delaySeconds)} s`,
      set: sql`
        available_at = clock_timestamp() + make_interval(secs => ${decision.delaySeconds}::float8),
        lost_count = ${lostCount}, max_attempts = t.max_attempts + ${decision.addAttempts}`,
      setAttempt,
    });
    return 'enqueued';
  }
  const name = ({ failed: 'fail', lost: 'failLost', superseded: 'failSuperseded' } as const)[end.as];
  await moveTask(tx, name, {
    taskId: task.id,
    attemptId,
    actor,
    reason: {
      permanent: error.code,
      attempts_used_up: `${error.code}, attempts used up`,
      lost_too_often: 'lost too often',
    }[decision.why],
    set: sql`error_code = ${error.code}, error_message = ${error.message}, lost_count = ${lostCount}`,
    setAttempt,
  });
  return 'failed';
}

async function readPolicy(tx: Tx, agentId: string): Promise<RetryPolicy> {
  const { rows } = await tx.execute<{ base: number; factor: number; cap: number }>(sql`
    /* queue.retry_policy */
    select retry_base_seconds as base, retry_factor as factor, retry_cap_seconds as cap
    from tickmark.agents where id = ${agentId}`);
  if (!rows[0]) throw new Error(`agent ${agentId} is gone`);
  const { base, factor, cap } = rows[0];
  return { baseSeconds: base, factor, capSeconds: cap };
}
