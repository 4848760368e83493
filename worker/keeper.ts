import type { Db } from '@/lib/db/client';
import type { Logger } from '@/lib/log';
import type { JobRunner } from '@/lib/platform/job-runner/port';
import { aFewAtOnce } from '@/lib/queue/a-few-at-once';
import { extendLeases, listWatched } from '@/lib/queue/lease';
import { type SettleOptions, settleGone } from '@/lib/queue/settle-gone';
import type { Pace } from './loop';
import type { WorkerMetrics } from './metrics';

export interface KeeperDeps extends SettleOptions {
  readonly db: Db;
  readonly runner: JobRunner;
  readonly workerId: string;
  readonly leaseSeconds: number;
  readonly log: Logger;
  readonly metrics: Pick<WorkerMetrics, 'inFlight'>;
}

const MAX_WATCHED = 20_000;
const SETTLED_AT_ONCE = 4;

/**
 * Looks at this worker's share of the runs in flight, whoever dispatched them: extends the leases of those that are
 * alive in one statement, and settles those that are gone at once, not only when their lease runs out. What the runner
 * can't tell about is left to the sweeper.
 */
export async function keepOnce(deps: KeeperDeps): Promise<Pace> {
  const { db, runner, workerId, leaseSeconds, log } = deps;
  const watched = await listWatched(db, { watcher: { workerId, leaseSeconds }, limit: MAX_WATCHED });
  deps.metrics.inFlight.set(watched.length);
  if (watched.length === 0) return 'idle';
  const states = await runner.status(
    watched.map((run) => run.runId),
    new Map(watched.map((run) => [run.runId, run.begun])),
  );
  const alive = watched.filter((run) => states.get(run.runId)?.state === 'alive');
  await extendLeases(db, { attemptIds: alive.map((run) => run.attemptId), leaseSeconds });
  await aFewAtOnce(SETTLED_AT_ONCE, watched, async ({ taskId, attemptId, runId }) => {
    const state = states.get(runId);
    if (state?.state !== 'gone') return;
    try {
      const settled = await settleGone(db, deps, attemptId, state);
      if (settled) log.info({ taskId, attemptId, runId, settled }, 'run.gone');
    } catch (err) {
      log.error({ taskId, attemptId, runId, err }, 'run.not_settled');
    }
  });
  return 'idle';
}
