import type { Db, Queryable } from '@/lib/db/client';
import type { BegunWithin, RunStatus } from '@/lib/platform/job-runner/port';
import { aFewAtOnce } from './a-few-at-once';
import { takeExpired } from './expired-leases';
import { listCancelling } from './lease';
import { type Recovered, type RecoverOptions, recover } from './recover';
import { applyOutbox, settleGone } from './settle-gone';
import { listUnstopped, markStopped, supersedeStrays } from './stray-attempts';
import { succeedLost } from './worker-session';

export interface SweepOptions extends RecoverOptions {
  /** Who sweeps. */
  readonly workerId: string;
  /** For agents without a lease of their own. */
  readonly leaseSeconds: number;
  /** Tasks looked at in one sweep at most, per duty; default 200. */
  readonly limit?: number;
}

/** What one sweep did; all 0 when there was nothing to do. */
export type SweepReport = Record<Recovered | 'stopped' | 'failed', number>;

const emptyReport = (): SweepReport => ({
  extended: 0,
  redispatched: 0,
  reported: 0,
  lost: 0,
  timedOut: 0,
  cancelled: 0,
  requeued: 0,
  stopped: 0,
  failed: 0,
});

/**
 * Looks after what nobody else does: leases that ran out, cancels that were requested, runs that were superseded, rows
 * that were changed by hand. An expired lease is a reason to ask, not proof of death: only a runner that says "gone"
 * ends an attempt. Any number of sweepers may run at once.
 */
export async function sweepOnce(db: Queryable, options: SweepOptions): Promise<SweepReport> {
  const { workerId, leaseSeconds, limit = 200 } = options;
  const report = emptyReport();
  await supersedeStrays(db);
  const expired = await takeExpired(db, { workerId, leaseSeconds, limit });
  const cancelling = await listCancelling(db, limit);
  const unstopped = await listUnstopped(db, limit);
  const runs = [...expired.flatMap(({ attempt }) => attempt ?? []), ...cancelling, ...unstopped];
  const states = await askRunner(
    options,
    new Map(runs.flatMap(({ runId, begun }) => (runId ? [[runId, begun]] : []))),
  );
  const stateOf = (runId: string): RunStatus => states.get(runId) ?? { state: 'unreachable' };

  const each = counting(report, options);
  await each(expired, (task) => recover(db, options, task, stateOf));
  await each(cancelling, async ({ attemptId, runId }) => {
    const state = stateOf(runId);
    if (state.state === 'gone') return settleGone(db, options, attemptId, state);
    await options.runner.cancel(runId);
    return null;
  });
  await each(unstopped, async ({ attemptId, runId, overdue }) => {
    const state: RunStatus = runId ? stateOf(runId) : { state: overdue ? 'gone' : 'unreachable' };
    if (state.state === 'gone') {
      await applyOutbox(db, options, attemptId);
      await markStopped(db, { attemptId, runId });
      return 'stopped';
    }
    if (runId) await options.runner.cancel(runId);
    return null;
  });
  return report;
}

/** What one look for lost workers did. */
export interface SuccessionReport {
  readonly lost: readonly string[];
  readonly report: SweepReport;
}

/** Takes over at once, without waiting for their leases, from workers whose database session has vanished. */
export async function succeedOnce(
  db: Db,
  options: SweepOptions,
  onLost: (lost: readonly string[]) => void = () => {},
): Promise<SuccessionReport> {
  const { workerId, leaseSeconds } = options;
  const report = emptyReport();
  const { lost, claims } = await succeedLost(db, { workerId, leaseSeconds });
  if (lost.length > 0) onLost(lost);
  await counting(report, options)(claims, (task) =>
    recover(db, options, task, () => ({ state: 'unreachable' })),
  );
  return { lost, report };
}

/** A few at once: one that waits for the runner does not hold up the others. */
const AT_ONCE = 8;

/** Deals with items and counts what was done; one that can't be dealt with now leaves the others alone. */
function counting(report: SweepReport, options: SweepOptions) {
  return <T extends { taskId?: string; attemptId?: string }>(
    items: readonly T[],
    deal: (item: T) => Promise<keyof SweepReport | null>,
  ) =>
    aFewAtOnce(AT_ONCE, items, async (item) => {
      try {
        const did = await deal(item);
        if (did) report[did] += 1;
      } catch (error) {
        report.failed += 1;
        options.onError?.(error, { taskId: item.taskId, attemptId: item.attemptId });
      }
    });
}

async function askRunner(
  options: SweepOptions,
  runs: ReadonlyMap<string, BegunWithin>,
): Promise<ReadonlyMap<string, RunStatus>> {
  if (runs.size === 0) return new Map();
  try {
    return await options.runner.status([...runs.keys()], runs);
  } catch (error) {
    // Out of reach is an answer too: nothing is taken for dead.
    options.onError?.(error, {});
    return new Map();
  }
}
