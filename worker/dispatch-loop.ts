import { claimTasks } from '@/lib/queue/claim';
import { type DispatchDeps, dispatchAttempt } from './dispatch';
import type { Pace } from './loop';

/** Claims as many due tasks as the runner has room for and dispatches them. */
export async function dispatchOnce(deps: DispatchDeps & { readonly leaseSeconds: number }): Promise<Pace> {
  const free = await deps.runner.freeSlots();
  // Room is asked for locally and often: a run's callback tells of its end just before its slot is free.
  if (free === 0) return 'soon';
  const { db, workerId, leaseSeconds } = deps;
  const claimed = await claimTasks(db, { workerId, limit: free, leaseSeconds });
  const results = await Promise.allSettled(claimed.map((task) => dispatchAttempt(deps, task)));
  results.forEach((result, n) => {
    const ids = { taskId: claimed[n]?.taskId, attemptId: claimed[n]?.attemptId };
    if (result.status === 'fulfilled') deps.log.info({ ...ids, outcome: result.value }, 'dispatch');
    else deps.log.error({ ...ids, err: result.reason }, 'dispatch.failed');
  });
  return claimed.length > 0 ? 'again' : 'idle';
}
