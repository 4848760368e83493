import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { AttemptStatus } from '@/lib/contract/api';
import type { Callback, CallbackAnswer } from '@/lib/contract/callback';
import type { Result } from '@/lib/contract/result';
import { storableText } from '@/lib/contract/text';
import type { Queryable, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { completeTasks } from './complete';
import { coolAfter } from './cool-agent';
import { type CallbackDecision, decideCallback } from './decide-callback';
import { endAttempt } from './end-attempt';
import { type AttemptOfTask, isUuid, type LockedTask, lockTasks } from './lock-task';
import { moveTask } from './move-task';
import { type PriceUsages, type Report, recordReports, storableConfidence } from './record-usage';

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

/** What the delivery that completes a task is answered, now and ever after (`completed_by`). */
const COMPLETED: CallbackAnswer = { outcome: 'applied', stop: false };

async function applyWave(tx: Tx, wave: readonly Delivery[], hooks: CallbackHooks): Promise<Applied[]> {
  const successes = wave.filter(completesAlone).map((delivery) => reportOf(delivery, COMPLETED));
  const completed = await completeTasks(tx, successes, hooks.priceUsages);
  const others = wave.filter(({ attemptId }) => !completed.has(attemptId));
  const answers = new Map(others.length > 0 ? await applyOthers(tx, others, hooks) : []);
  for (const { attemptId, callback } of wave) {
    if (!completed.has(attemptId) || callback.type !== 'attempt.succeeded') continue;
    await hooks.onCompleted?.(tx, { taskId: callback.taskId.toLowerCase(), result: callback.result });
  }
  return wave.map((delivery) => answers.get(delivery) ?? COMPLETED);
}

/** A usage without a model is priced by the model that was named before, which is read under the task's lock. */
const completesAlone = ({ attemptId, callback }: Delivery) =>
  callback.type === 'attempt.succeeded' &&
  (!callback.usage || callback.usage.model !== null) &&
  isUuid(callback.taskId) &&
  isUuid(attemptId) &&
  callback.attemptId.toLowerCase() === attemptId;

function reportOf(delivery: Delivery, answer: CallbackAnswer): Report {
  return { ...delivery, taskId: delivery.callback.taskId.toLowerCase(), answer };
}

/** Deliveries that need a look at what they are about: locks first, then reads, decides and acts. */
async function applyOthers(
  tx: Tx,
  deliveries: readonly Delivery[],
  hooks: CallbackHooks,
): Promise<[Delivery, Applied][]> {
  const tasks = await lockTasks(
    tx,
    deliveries.map(({ callback }) => callback.taskId),
  );
  const taskById = new Map(tasks.map((task) => [task.id, task]));
  const known = await readKnown(tx, deliveries);
  const members: Member[] = [];
  const applied = deliveries.map((delivery, n): [Delivery, Applied] => {
    const found = known.get(n);
    if (!found) return [delivery, new DomainError('not_found', 'There is no attempt with this id.')];
    const { attempt, answer } = found;
    const { callback } = delivery;
    const task = taskById.get(found.taskId);
    if (callback.attemptId.toLowerCase() !== attempt.id || callback.taskId.toLowerCase() !== task?.id) {
      const words = 'The body is about another task or attempt than the delivery.';
      return [delivery, new DomainError('bad_request', words)];
    }
    if (answer) return [delivery, answer];
    const decision = decideCallback(callback.type, {
      taskStatus: task.status,
      cancelRequested: task.cancelRequested,
      isCurrent: task.currentAttemptId === attempt.id,
      attemptStatus: attempt.status,
    });
    members.push({ delivery, task, attempt, decision });
    return [delivery, answerOf(decision)];
  });
  const reports = members.map(({ delivery, decision }) => reportOf(delivery, answerOf(decision)));
  await recordReports(tx, reports, hooks.priceUsages);
  for (const member of members) await act(tx, member, hooks);
  return applied;
}

const answerOf = ({ outcome, stop }: CallbackDecision): CallbackAnswer => ({ outcome, stop });

/** What is known of the deliveries' attempts, by position, with what a delivery was answered before. */
async function readKnown(
  tx: Tx,
  deliveries: readonly Delivery[],
): Promise<
  ReadonlyMap<number, { taskId: string; attempt: AttemptOfTask; answer: CallbackAnswer | undefined }>
> {
  const { rows } = await tx.execute<{
    n: number;
    id: string;
    task_id: string;
    status: AttemptStatus;
    run_id: string | null;
    outcome: CallbackAnswer['outcome'] | null;
    stop: boolean | null;
  }>(sql`
    /* queue.read_deliveries */
    select w.n::integer, a.id, a.task_id, a.status, a.run_id,
      case when a.completed_by = w.webhook_id then ${COMPLETED.outcome} else d.outcome end as outcome,
      case when a.completed_by = w.webhook_id then ${COMPLETED.stop} else d.stop end as stop
    from unnest(
      ${sql.param(deliveries.map(({ attemptId }) => (isUuid(attemptId) ? attemptId : null)))}::uuid[],
      ${sql.param(deliveries.map(({ webhookId }) => webhookId))}::text[]
    ) with ordinality as w (attempt_id, webhook_id, n)
    join tickmark.task_attempts a on a.id = w.attempt_id
    left join tickmark.callback_deliveries d on d.attempt_id = w.attempt_id and d.webhook_id = w.webhook_id`);
  return new Map(
    rows.map(({ n, id, task_id, status, run_id, outcome, stop }) => [
      n - 1,
      {
        taskId: task_id,
        attempt: { id, status, runId: run_id },
        answer: outcome === null || stop === null ? undefined : { outcome, stop },
      },
    ]),
  );
}

/** One that was given back as never started did run after all: it counts. */
const counted = (attempt: AttemptOfTask) => (attempt.status === 'snoozed' ? 1 : 0);

/** Takes the task the step that a delivery leads to. */
async function act(tx: Tx, member: Member, hooks: CallbackHooks): Promise<void> {
  const { task, attempt, decision } = member;
  const { callback } = member.delivery;
  const move = { taskId: task.id, attemptId: attempt.id, actor: 'agent' };
  if (callback.type === 'attempt.succeeded' && decision.act === 'complete') {
    await moveTask(tx, 'complete', {
      ...move,
      reason: 'succeeded',
      set: sql`
        result = ${JSON.stringify(callback.result)}::jsonb, confidence = ${storableConfidence(callback.result.confidence)},
        error_code = null, error_message = null, lost_count = 0, attempt_count = t.attempt_count + ${counted(attempt)}`,
      setAttempt: sql`error_code = null, error_message = null`,
    });
    await hooks.onCompleted?.(tx, { taskId: task.id, result: callback.result });
  }
  if (callback.type === 'attempt.succeeded' && decision.act === 'cancel') {
    await moveTask(tx, 'cancelStopped', {
      ...move,
      reason: 'succeeded after a cancel was requested',
      set: sql`attempt_count = t.attempt_count + ${counted(attempt)}`,
      setAttempt: sql`result = ${JSON.stringify(callback.result)}::jsonb`,
    });
  }
  if (callback.type === 'attempt.failed' && decision.act === 'end') {
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
