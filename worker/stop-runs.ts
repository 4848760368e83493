import { setTimeout as delay } from 'node:timers/promises';
import { listWatched, type WatchedRun } from '@/lib/queue/lease';
import { settleGone } from '@/lib/queue/settle-gone';
import { snoozeAttempt } from '@/lib/queue/snooze';
import type { KeeperDeps } from './keeper';

const LOOK_MS = 100;
const ASK_AGAIN_MS = 1_000;
const MAX_RUNS = 10_000;

/**
 * Stops all runs of this machine because the machine's whole installation stops. Their attempts are given back and
 * not counted; a run that had its answer ready is settled with it. Resolves when all are settled or after `withinMs`:
 * what is left is found gone at the next start.
 */
export async function stopRuns(deps: KeeperDeps, withinMs: number): Promise<void> {
  const { db, runner } = deps;
  const deadline = Date.now() + withinMs;
  // First of all, and without the database, which may be gone: nothing of ours goes on after we have stopped.
  await Promise.all((await runner.listAlive()).map(({ runId }) => runner.cancel(runId)));
  let left: readonly WatchedRun[] = await listWatched(db, { limit: MAX_RUNS });
  let askedAt = 0;
  while (left.length > 0 && Date.now() < deadline) {
    if (Date.now() - askedAt > ASK_AGAIN_MS) {
      askedAt = Date.now();
      await Promise.all(left.map(({ runId }) => runner.cancel(runId)));
    }
    const states = await runner.status(
      left.map(({ runId }) => runId),
      new Map(left.map(({ runId, begun }) => [runId, begun])),
    );
    const isGone = ({ runId }: WatchedRun) => states.get(runId)?.state === 'gone';
    await Promise.all(left.filter(isGone).map((run) => giveBack(deps, run)));
    left = left.filter((run) => !isGone(run));
    if (left.length > 0) await delay(LOOK_MS);
  }
}

async function giveBack(deps: KeeperDeps, run: WatchedRun): Promise<void> {
  const { attemptId, taskId } = run;
  try {
    if (run.cancelRequested || (await deps.readOutbox(attemptId))) {
      await settleGone(deps.db, deps, attemptId, { state: 'gone' });
      return;
    }
    const reason = 'stopped with the machine';
    await snoozeAttempt(deps.db, {
      attemptId,
      delaySeconds: 0,
      reason,
      workerId: deps.workerId,
      runStopped: true,
    });
  } catch (err) {
    deps.log.error({ taskId, attemptId, err }, 'run.not_given_back');
  }
}
