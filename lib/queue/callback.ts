import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Callback, CallbackAnswer } from '@/lib/contract/callback';
import type { Result } from '@/lib/contract/result';
import { storableText } from '@/lib/contract/text';
import type { Queryable, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { coolAfter } from './cool-agent';
import { type CallbackDecision, decideCallback } from './decide-callback';
import { endAttempt } from './end-attempt';
import { type AttemptOfTask, type LockedTask, lockTasksOfAttempts } from './lock-task';
import { type MovedTask, moveTask, moveTasks } from './move-task';
import { type PriceUsages, recordReports } from './record-usage';

/** One verified delivery: its signature has been checked with the key of `attemptId`. */
export interface Delivery {
  readonly attemptId: string;
  /** The sender's name for the delivery, kept over its retries. */
  readonly webhookId: string;
  readonly callback: Callback;
}

/** What the caller adds, in the same transaction. */
export interface CallbackHooks {
  readonly priceUsages: PriceUsages;
  /** After a task has completed. */
  readonly onCompleted?: (tx: Tx, completed: { taskId: string; result: Result }) => Promise<void>;
}

/** The answer to a delivery, or why it has none. */
export type Applied = CallbackAnswer | DomainError;

/**
 * Applies one delivery. Throws `not_found` for an unknown attempt, `bad_request` when the body is about another one.
 */
export async function applyCallback(
  db: Queryable,
  delivery: Delivery,
  hooks: CallbackHooks,
): Promise<CallbackAnswer> {
  const [applied] = await applyCallbacks(db, [delivery], hooks);
  if (!applied || applied instanceof DomainError) throw applied ?? new Error('one delivery, no answer');
  return applied;
}

/**
 * Applies deliveries that arrived together: status, results, usage and history in one transaction; all or none. The
 * tasks' locks, taken in the order of their ids, put the deliveries of one task in a row, and each leaves its answer,
 * so that the same one gets the same answer any number of times, at once or later.
 * @returns one answer per delivery, in their order; a delivery with a `DomainError` has changed nothing
 */
export async function applyCallbacks(
  db: Queryable,
  deliveries: readonly Delivery[],
  hooks: CallbackHooks,
): Promise<Applied[]> {
  const members = deliveries.map((delivery) => ({
    ...delivery,
    attemptId: delivery.attemptId.toLowerCase(),
    webhookId: storableId(delivery.webhookId),
  }));
  const keyOf = ({ attemptId, webhookId }: Delivery) => `${attemptId} ${webhookId}`;
  const distinct = [...new Map(members.map((member) => [keyOf(member), member])).values()];
  const answers = await withTransaction(db, async (tx) => {
    const given = new Map<string, Applied>();
    for (const wave of oneOfEachTask(distinct)) {
      const applied = await applyWave(tx, wave, hooks);
      wave.forEach((member, n) => {
        const answer = applied[n];
        if (answer) given.set(keyOf(member), answer);
      });
    }
    return given;
  });
  return members.map((member) => {
    const answer = answers.get(keyOf(member));
    if (!answer) throw new Error('a delivery was left without an answer');
    return answer;
  });
}

/** Splits deliveries so that none follows another one of its task within a part: what it does depends on that one. */
function oneOfEachTask(deliveries: readonly Delivery[]): Delivery[][] {
  const waves: Delivery[][] = [];
  const before = new Map<string, number>();
  for (const delivery of deliveries) {
    const taskId = delivery.callback.taskId.toLowerCase();
    const n = before.get(taskId) ?? 0;
    before.set(taskId, n + 1);
    waves[n] = [...(waves[n] ?? []), delivery];
  }
  return waves;
}

/** A delivery with all that decides about it. */
interface Member {
  readonly delivery: Delivery;
  readonly task: LockedTask;
  readonly attempt: AttemptOfTask;
  readonly decision: CallbackDecision;
}

async function applyWave(tx: Tx, wave: readonly Delivery[], hooks: CallbackHooks): Promise<Applied[]> {
  const locked = await lockTasksOfAttempts(
    tx,
    wave.map(({ attemptId }) => attemptId),
  );
  const answered = await readAnswers(tx, wave);
  const members: Member[] = [];
  const applied = wave.map((delivery, n): Applied => {
    const found = locked.get(delivery.attemptId);
    if (!found) return new DomainError('not_found', 'There is no attempt with this id.');
    const { task, attempt } = found;
    const { callback } = delivery;
    if (callback.attemptId.toLowerCase() !== attempt.id || callback.taskId.toLowerCase() !== task.id) {
      return new DomainError('bad_request', 'The body is about another task or attempt than the delivery.');
    }
    const before = answered.get(n);
    if (before) return before;
    const decision = decideCallback(callback.type, {
      taskStatus: task.status,
      cancelRequested: task.cancelRequested,
      isCurrent: task.currentAttemptId === attempt.id,
      attemptStatus: attempt.status,
    });
    members.push({ delivery, task, attempt, decision });
    return { outcome: decision.outcome, stop: decision.stop };
  });
  await recordReports(
    tx,
    members.map(({ delivery, decision }) => ({ ...delivery, answer: answerOf(decision) })),
    hooks.priceUsages,
  );
  await complete(tx, members, hooks);
  for (const member of members) await endOrCancel(tx, member);
  return applied;
}

const answerOf = ({ outcome, stop }: CallbackDecision): CallbackAnswer => ({ outcome, stop });

/** What was answered before, by position. */
async function readAnswers(
  tx: Tx,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<number, CallbackAnswer>> {
  const wanted = deliveries.map(({ callback, webhookId }, n) => ({
    n,
    attempt_id: callback.attemptId,
    webhook_id: webhookId,
  }));
  const { rows } = await tx.execute<CallbackAnswer & { n: number; [column: string]: unknown }>(sql`
    /* queue.read_deliveries */
    select w.n, d.outcome, d.stop
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w (n integer, attempt_id uuid, webhook_id text)
    join tickmark.callback_deliveries d on d.attempt_id = w.attempt_id and d.webhook_id = w.webhook_id`);
  return new Map(rows.map(({ n, outcome, stop }) => [n, { outcome, stop }]));
}

/** One that was given back as never started did run after all: it counts. */
const counted = (attempt: AttemptOfTask) => (attempt.status === 'snoozed' ? 1 : 0);

async function complete(tx: Tx, members: readonly Member[], hooks: CallbackHooks): Promise<void> {
  const completed: (MovedTask & { result: Result })[] = members.flatMap(
    ({ delivery: { callback }, task, attempt, decision }) => {
      if (decision.act !== 'complete' || callback.type !== 'attempt.succeeded') return [];
      const { result } = callback;
      const confidence = storableConfidence(result.confidence);
      const data = { result, confidence, counted: counted(attempt) };
      return [{ taskId: task.id, attemptId: attempt.id, data, result }];
    },
  );
  await moveTasks(tx, 'complete', completed, {
    actor: 'agent',
    reason: 'succeeded',
    set: sql`
      result = task.data->'result', confidence = (task.data->>'confidence')::real, error_code = null,
      error_message = null, lost_count = 0, attempt_count = t.attempt_count + (task.data->>'counted')::integer`,
    setAttempt: sql`error_code = null, error_message = null`,
  });
  if (!hooks.onCompleted) return;
  for (const { taskId, result } of completed) await hooks.onCompleted(tx, { taskId, result });
}

async function endOrCancel(tx: Tx, { delivery: { callback }, task, attempt, decision }: Member) {
  if (decision.act === 'cancel' && callback.type === 'attempt.succeeded') {
    await moveTask(tx, 'cancelStopped', {
      taskId: task.id,
      attemptId: attempt.id,
      actor: 'agent',
      reason: 'succeeded after a cancel was requested',
      set: sql`attempt_count = t.attempt_count + ${counted(attempt)}`,
      setAttempt: sql`result = ${JSON.stringify(callback.result)}::jsonb`,
    });
  }
  if (decision.act === 'end' && callback.type === 'attempt.failed') {
    const { error } = callback;
    await endAttempt(tx, task, { attemptId: attempt.id, as: 'failed', error, actor: 'agent' });
    await coolAfter(tx, { agentId: task.agentId, attemptId: attempt.id, error });
  }
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
