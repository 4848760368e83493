import type { ClaimedTask } from '@/lib/queue/claim';
import { idempotencyToken, recordDispatch, recordFull, recordRefused } from '@/lib/queue/dispatch';
import { type Mood, Outage } from './sim-runner';
import type { Held, SimWorker, World } from './world';

/**
 * Takes a claim one or two steps on, from the submission to the noted run; the worker may die or freeze in between.
 * @returns whether it still has it in its hands: submitted, its run not noted yet
 */
export async function dispatch(w: World, worker: SimWorker, held: Held, b: number): Promise<boolean> {
  if (!held.submitted) {
    const done = await submit(w, worker.id, held.claimed, moodOf(b));
    if (done) return false;
    held.submitted = true;
    // It dies here, or is frozen for a while.
    if (b % 20 === 7) return false;
    if (b % 20 === 8 || b % 20 === 9) return true;
  }
  await note(w, worker.id, held.claimed);
  return false;
}

function moodOf(b: number): Mood {
  const rare: Record<number, Mood> = {
    0: 'full',
    1: 'everywhere',
    2: 'refuses',
    3: 'permanently',
    4: 'unknown',
    5: 'unknown_started',
  };
  return rare[b % 20] ?? 'takes';
}

/** @returns whether that is the end of it for this worker */
async function submit(w: World, workerId: string, claimed: ClaimedTask, mood: Mood): Promise<boolean> {
  const { attemptId, taskId, maxRunSeconds } = claimed;
  const request = {
    attemptId,
    taskId,
    idempotencyToken: idempotencyToken('sim', attemptId),
    inputPath: 'x',
    maxRunSeconds,
  };
  const outcome = await w.runner.submit(request, mood).catch((error) => {
    if (error instanceof Outage) return null;
    throw error;
  });
  if (outcome?.kind === 'submitted') return false;
  if (outcome?.kind === 'full') {
    const { retryAfterSeconds, everywhere = false } = outcome;
    await recordFull(w.db, { attemptId, retryAfterSeconds, everywhere, workerId });
  }
  if (outcome?.kind === 'refused') await recordRefused(w.db, { attemptId, workerId, ...outcome });
  return true;
}

async function note(w: World, workerId: string, { attemptId }: ClaimedTask): Promise<void> {
  const runId = `run-${attemptId}`;
  const recorded = await recordDispatch(w.db, { attemptId, runId, workerId });
  const run = w.runner.runs.get(runId);
  if (run) run.noted = true;
  if (recorded === 'stale') await w.runner.cancel(runId);
}

/** What a sweeper or a successor does with a claim that it took over. */
export async function redispatch(
  w: World,
  workerId: string,
  claimed: ClaimedTask,
  mood: Mood,
): Promise<void> {
  if (!(await submit(w, workerId, claimed, mood))) await note(w, workerId, claimed);
}
