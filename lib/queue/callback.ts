import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Callback, CallbackAnswer } from '@/lib/contract/callback';
import type { Result } from '@/lib/contract/result';
import { storableText } from '@/lib/contract/text';
import type { Queryable, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { coolAgent } from './cool-agent';
import { type CallbackDecision, decideCallback } from './decide-callback';
import { endAttempt } from './end-attempt';
import { type AttemptOfTask, type LockedTask, lockTaskOfAttempt } from './lock-task';
import { moveTask } from './move-task';
import { type PriceUsage, recordReport } from './record-usage';

/** One verified delivery: its signature has been checked with the key of `attemptId`. */
export interface Delivery {
  readonly attemptId: string;
  /** The sender's name for the delivery, kept over its retries. */
  readonly webhookId: string;
  readonly callback: Callback;
}

/** What the caller adds, in the same transaction. */
export interface CallbackHooks {
  readonly priceUsage: PriceUsage;
  /** After a task has completed. */
  readonly onCompleted?: (tx: Tx, completed: { taskId: string; result: Result }) => Promise<void>;
}

/**
 * Applies one delivery: status, result, usage and history in one transaction. The task's lock puts deliveries of one
 * task in a row, and each leaves its answer, so that the same one gets the same answer any number of times, at once or
 * later. Throws `not_found` for an unknown attempt, `bad_request` when the body is about another one.
 */
export async function applyCallback(
  db: Queryable,
  delivery: Delivery,
  hooks: CallbackHooks,
): Promise<CallbackAnswer> {
  const { attemptId, callback } = delivery;
  const webhookId = storableId(delivery.webhookId);
  return withTransaction(db, async (tx) => {
    const found = await lockTaskOfAttempt(tx, attemptId);
    if (!found) throw new DomainError('not_found', 'There is no attempt with this id.');
    const { task, attempt } = found;
    if (callback.attemptId.toLowerCase() !== attempt.id || callback.taskId.toLowerCase() !== task.id) {
      throw new DomainError('bad_request', 'The body is about another task or attempt than the delivery.');
    }
    const answered = await readAnswer(tx, attempt.id, webhookId);
    if (answered) return answered;

    const decision = decideCallback(callback.type, {
      taskStatus: task.status,
      cancelRequested: task.cancelRequested,
      isCurrent: task.currentAttemptId === attempt.id,
      attemptStatus: attempt.status,
    });
    await recordReport(tx, attempt.id, callback, hooks.priceUsage);
    await act(tx, decision, task, attempt, callback, hooks);
    const answer: CallbackAnswer = { outcome: decision.outcome, stop: decision.stop };
    await tx.execute(sql`
      /* queue.record_delivery */
      insert into tickmark.callback_deliveries (attempt_id, webhook_id, outcome, stop)
      values (${attempt.id}::uuid, ${webhookId}, ${answer.outcome}, ${answer.stop})`);
    return answer;
  });
}

async function act(
  tx: Tx,
  { act: what }: CallbackDecision,
  task: LockedTask,
  attempt: AttemptOfTask,
  callback: Callback,
  hooks: CallbackHooks,
): Promise<void> {
  const about = { taskId: task.id, attemptId: attempt.id, actor: 'agent' };
  if (callback.type === 'attempt.succeeded') {
    const result = JSON.stringify(callback.result);
    // One that was given back as never started did run after all: it counts.
    const counted = sql`attempt_count = t.attempt_count + ${attempt.status === 'snoozed' ? 1 : 0}`;
    if (what === 'complete') {
      await moveTask(tx, 'complete', {
        ...about,
        reason: 'succeeded',
        set: sql`
          result = ${result}::jsonb, confidence = ${storableConfidence(callback.result.confidence)}::real,
          error_code = null, error_message = null, lost_count = 0, ${counted}`,
        setAttempt: sql`error_code = null, error_message = null`,
      });
      await hooks.onCompleted?.(tx, { taskId: task.id, result: callback.result });
    }
    if (what === 'cancel') {
      await moveTask(tx, 'cancelStopped', {
        ...about,
        reason: 'succeeded after a cancel was requested',
        set: counted,
        setAttempt: sql`result = ${result}::jsonb`,
      });
    }
  }
  if (callback.type === 'attempt.failed' && what === 'end') {
    await endAttempt(tx, task, {
      attemptId: attempt.id,
      as: 'failed',
      error: callback.error,
      actor: 'agent',
    });
    await coolAgent(tx, task.agentId, callback.error);
  }
}

async function readAnswer(tx: Tx, attemptId: string, webhookId: string): Promise<CallbackAnswer | null> {
  const { rows } = await tx.execute<{ outcome: CallbackAnswer['outcome']; stop: boolean }>(sql`
    /* queue.read_delivery */
    select outcome, stop from tickmark.callback_deliveries
    where attempt_id = ${attemptId}::uuid and webhook_id = ${webhookId}`);
  return rows[0] ?? null;
}

/** An id from outside as an index can hold it: no NUL, and no longer than a third of a page. */
function storableId(id: string): string {
  const text = storableText(id);
  return text.length <= 200 ? text : `sha256:${createHash('sha256').update(id).digest('hex')}`;
}

/** `real` refuses what is too small for it, such as 1e-300. */
function storableConfidence(confidence: number | null): number | null {
  return confidence === null ? null : Math.round(confidence * 1e6) / 1e6;
}
