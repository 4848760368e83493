import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { lockTask } from './lock-task';
import { moveTask } from './move-task';

/** What a task is expected to need: tokens in all, and seconds of run time. */
export interface Estimate {
  readonly tokens: number;
  readonly seconds: number;
  /** Of what was learnt of the agent, where it was made with that. */
  readonly version?: number | null;
}

const MAX_TOKENS = 2_000_000_000;
const MAX_SECONDS = 10_000_000;

/** Within what the columns hold, whatever an estimator came up with; not a number counts as the most. */
export function storableEstimate({ tokens, seconds }: Estimate): Estimate {
  const clamp = (value: number, max: number) =>
    Number.isNaN(value) ? max : Math.min(max, Math.max(0, value));
  return {
    tokens: Math.ceil(clamp(tokens, MAX_TOKENS)),
    seconds: Math.round(clamp(seconds, MAX_SECONDS) * 1000) / 1000,
  };
}

/** Makes a waiting task claimable. One that was held as too large for its budget is looked at anew. */
export async function setEstimate(db: Queryable, input: { taskId: string } & Estimate): Promise<void> {
  const { tokens, seconds } = storableEstimate(input);
  await db.execute(sql`
    /* queue.set_estimate */
    update tickmark.tasks
    set estimated_tokens = ${tokens}, estimated_seconds = ${seconds}, estimate_version = ${input.version ?? null},
      claim_rank = case when estimated_tokens is null
        then tickmark.next_claim_rank(agent_id, priority, extraction_id, created_at) else claim_rank end,
      parked = case when parked = 'held' then null else parked end
    where id = ${input.taskId}::uuid and status = 'enqueued'`);
}

/**
 * Fails a waiting task for good, without an attempt: its document can't be worked on.
 * @returns `stale` when the task no longer waits
 */
export async function rejectTask(
  db: Queryable,
  { taskId, code, message, actor }: { taskId: string; code: string; message: string; actor: string },
): Promise<'rejected' | 'stale'> {
  return withTransaction(db, async (tx) => {
    await lockTask(tx, taskId);
    const moved = await moveTask(tx, 'reject', {
      taskId,
      actor,
      reason: code,
      set: sql`error_code = ${code}, error_message = ${message}`,
    });
    return moved ? 'rejected' : 'stale';
  });
}
