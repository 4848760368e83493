import { claimTasks } from '@/lib/queue/claim';
import { type DispatchDeps, dispatchAttempt } from './dispatch';
import type { Pace } from './loop';
import type { WorkerMetrics } from './metrics';

export interface DispatchLoopDeps extends DispatchDeps {
  readonly leaseSeconds: number;
  /** False while this worker's session is lost and not registered anew: others may be taking its claims over. */
  readonly mayDispatch: () => boolean;
  readonly metrics: Pick<WorkerMetrics, 'claimed' | 'claimSeconds' | 'dispatched'>;
}

/** Claims as many due tasks as the runner has room for and dispatches them. */
export async function dispatchOnce(deps: DispatchLoopDeps): Promise<Pace> {
  if (!deps.mayDispatch()) return 'soon';
  const free = await deps.runner.freeSlots();
  // Room is asked for locally and often: a run's callback tells of its end just before its slot is free.
  if (free === 0) return 'soon';
  const { db, workerId, leaseSeconds, metrics } = deps;
  const began = performance.now();
  const claimed = await claimTasks(db, { workerId, limit: free, leaseSeconds });
  metrics.claimSeconds.observe((performance.now() - began) / 1000);
  metrics.claimed.inc(claimed.length);
  const results = await Promise.allSettled(claimed.map((task) => dispatchAttempt(deps, task)));
  results.forEach((result, n) => {
    const ids = { taskId: claimed[n]?.taskId, attemptId: claimed[n]?.attemptId };
    metrics.dispatched.inc({ outcome: result.status === 'fulfilled' ? result.value : 'failed' });
    if (result.status === 'fulfilled') deps.log.info({ ...ids, outcome: result.value }, 'dispatch');
    else deps.log.error({ ...ids, err: result.reason }, 'dispatch.failed');
  });
  return claimed.length > 0 ? 'again' : 'idle';
}
