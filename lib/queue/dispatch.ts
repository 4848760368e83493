import { sql } from 'drizzle-orm';
import { ERROR_CODES, isErrorCode } from '@/lib/contract/error-codes';
import { storableText } from '@/lib/contract/text';
import type { Queryable, Tx } from '@/lib/db/client';
import { inOneStatement, withTransaction } from '@/lib/db/transaction';
import { coolAfter, coolAgent, RUNNER_FULL } from './cool-agent';
import { endAttempt } from './end-attempt';
import { type AttemptOfTask, isInHand, isUuid, lockTaskOfAttempt } from './lock-task';
import { snoozeAttempt } from './snooze';

/** The same token never starts a second run; that of a copied database is another one. At most 64 characters. */
export function idempotencyToken(environmentId: string, attemptId: string): string {
  return `${environmentId}:${attemptId}`;
}

/**
 * Notes which run an attempt got. Before the submission, and if this is never reached, the same attempt is submitted
 * again, which gives the same run.
 * @returns `stale` when the attempt no longer acts for its task: cancel the run. A run that is done by then is `stale`
 *   too, and cancelling it does no harm. A cancel that was requested meanwhile is the sweeper's to carry out.
 */
export async function recordDispatch(
  db: Queryable,
  { attemptId, runId }: { attemptId: string; runId: string; workerId: string },
): Promise<'running' | 'stale'> {
  if (isUuid(attemptId) && (await noteRunOfCurrent(db, attemptId, runId))) return 'running';
  return withTransaction(db, async (tx) => {
    const found = await lockTaskOfAttempt(tx, attemptId);
    if (!found) return 'stale';
    const { task, attempt } = found;
    const isItsRun = (attempt.runId ?? runId) === runId;
    const current = task.currentAttemptId === attempt.id && isItsRun;
    if (!current && isItsRun && attempt.status !== 'succeeded') await countLateRun(tx, attempt, runId);
    // A run that overtook this note keeps its id all the same, so that it can be found and stopped.
    await tx.execute(sql`
      /* queue.record_dispatch */
      with noted as (
        update tickmark.task_attempts
        set run_id = ${runId},
          dispatched_at = coalesce(dispatched_at, clock_timestamp()),
          status = case when status = 'claimed' and ${current} then 'running' else status end
        where id = ${attemptId}::uuid and coalesce(run_id, ${runId}) = ${runId}
        returning task_id, number
      )
      update tickmark.tasks t
      set locked_by = ${runId}
      from noted
      where t.id = noted.task_id and t.last_attempt_number = noted.number and t.status <> 'enqueued'`);
    return current ? 'running' : 'stale';
  });
}

/**
 * What is so for nearly every dispatch, in one statement instead of a transaction of five: the attempt acts for its task
 * and has no other run. False: something is otherwise, and nothing has been written.
 */
async function noteRunOfCurrent(db: Queryable, attemptId: string, runId: string): Promise<boolean> {
  return inOneStatement(db, async () => {
    const { rows } = await db.execute(sql`
      /* queue.record_dispatch */
      with acting as materialized (
        select t.id
        from tickmark.task_attempts a
        join tickmark.tasks t on t.id = a.task_id and t.current_attempt_id = a.id
        where a.id = ${attemptId}::uuid
        for update of t
      ),
      noted as (
        update tickmark.task_attempts a
        set run_id = ${runId}, dispatched_at = coalesce(a.dispatched_at, clock_timestamp()), status = 'running'
        from acting
        where a.id = ${attemptId}::uuid and a.status = any('{claimed,running}'::tickmark.attempt_status[])
          and coalesce(a.run_id, ${runId}) = ${runId}
        returning a.task_id
      )
      update tickmark.tasks t set locked_by = ${runId} from noted where t.id = noted.task_id
      returning t.id`);
    return rows.length > 0;
  });
}

/**
 * It was given up as never started: another worker had no room for it, or too long passed. Then a slower worker
 * started it. It is counted until its run is known to have stopped. One that reported its own end meanwhile stays as
 * it is; of one that was given back this cannot be told, but then the next sweep finds its run gone.
 */
async function countLateRun(tx: Tx, attempt: AttemptOfTask, runId: string): Promise<void> {
  const uncounted = attempt.status === 'snoozed' ? 1 : 0;
  await tx.execute(sql`
    /* queue.count_late_run */
    with late as (
      update tickmark.task_attempts
      set status = 'superseded', run_id = ${runId}, dispatched_at = clock_timestamp(), run_stopped_at = null
      where id = ${attempt.id}::uuid and dispatched_at is null and (status = 'snoozed' or (
        status = any('{failed,cancelled,superseded}'::tickmark.attempt_status[]) and last_sign_at is null
      ))
      returning task_id
    )
    update tickmark.tasks t
    set attempt_count = attempt_count + ${uncounted}, max_attempts = max_attempts + ${uncounted}
    from late where t.id = late.task_id`);
}

/**
 * Ends an attempt whose submission the runner refused: it surely did not start and never will. Whether the task is
 * tried again depends on the code, as everywhere.
 */
export async function recordRefused(
  db: Queryable,
  {
    attemptId,
    code,
    message,
    workerId,
  }: { attemptId: string; code: string; message: string; workerId: string },
): Promise<'recorded' | 'stale'> {
  return withTransaction(db, async (tx) => {
    const found = await lockTaskOfAttempt(tx, attemptId);
    if (!found || !isInHand(found, workerId)) return 'stale';
    const error = {
      code,
      message: storableText(message),
      retryable: isErrorCode(code) && ERROR_CODES[code].retryable,
      retryAfterSeconds: null,
    };
    await endAttempt(tx, found.task, { attemptId, as: 'failed', error, actor: `worker:${workerId}` });
    await coolAfter(tx, { agentId: found.task.agentId, attemptId, error });
    return 'recorded';
  });
}

/**
 * Gives back a claim that the runner had no room for; it did not start and is not counted.
 * @param everywhere as a provider's 429: no worker may start this agent's runs now, and fewer of them from then on
 */
export async function recordFull(
  db: Queryable,
  {
    attemptId,
    retryAfterSeconds,
    everywhere,
    reason,
    workerId,
  }: {
    attemptId: string;
    retryAfterSeconds: number;
    everywhere: boolean;
    /** Shown to people for as long as everywhere is waited. */
    reason?: string;
    workerId: string;
  },
): Promise<'snoozed' | 'stale'> {
  return withTransaction(db, async (tx) => {
    const found = await lockTaskOfAttempt(tx, attemptId);
    const snoozed = await snoozeAttempt(tx, {
      attemptId,
      delaySeconds: retryAfterSeconds * (1 + Math.random()),
      reason: 'runner full',
      workerId,
    });
    if (snoozed === 'snoozed' && everywhere && found) {
      const { agentId } = found.task;
      const told = reason === undefined ? RUNNER_FULL : `${RUNNER_FULL} (${reason})`;
      await coolAgent(tx, { agentId, attemptId, retryAfterSeconds, reason: told });
    }
    return snoozed;
  });
}
