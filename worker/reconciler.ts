import { aFewAtOnce } from '@/lib/queue/a-few-at-once';
import { findOwnerless, listSilent } from '@/lib/queue/run-owners';
import { applyOutbox } from '@/lib/queue/settle-gone';
import type { KeeperDeps } from './keeper';
import type { Pace } from './loop';

/** A run that has not been heard of for so long may have left its report and failed to deliver it. */
const SILENT_SECONDS = 10;
const OUTBOXES_AT_A_TIME = 200;
/** A run must be without an owner for so long, seen twice, before it is stopped. */
const SEEN_TWICE_MS = 10_000;
const AT_ONCE = 4;

/**
 * Makes what the platform runs and what the database says agree, whatever was lost in between: finishes attempts from
 * their outboxes while their runs still try to call back, and stops runs that nobody owns. Runs that vanished are the
 * keeper's. So every task ends without any callback at all.
 */
export function createReconciler(
  deps: KeeperDeps,
  { seenTwiceMs = SEEN_TWICE_MS }: { readonly seenTwiceMs?: number } = {},
): () => Promise<Pace> {
  const ownerlessSince = new Map<string, number>();
  let after: string | null = null;

  const readOutboxes = async () => {
    const silent = await listSilent(deps.db, { seconds: SILENT_SECONDS, after, limit: OUTBOXES_AT_A_TIME });
    // The rest comes next time, then it begins anew.
    after = silent.length === OUTBOXES_AT_A_TIME ? (silent.at(-1) ?? null) : null;
    await aFewAtOnce(AT_ONCE, silent, async (attemptId) => {
      try {
        if (await applyOutbox(deps.db, deps, attemptId)) deps.log.info({ attemptId }, 'outbox.applied');
      } catch (err) {
        deps.log.error({ attemptId, err }, 'outbox.not_applied');
      }
    });
  };

  const stopOwnerless = async () => {
    const ownerless = await findOwnerless(deps.db, await deps.runner.listAlive());
    const now = performance.now();
    const runIds = new Set(ownerless.map(({ runId }) => runId));
    for (const runId of ownerlessSince.keys()) if (!runIds.has(runId)) ownerlessSince.delete(runId);
    for (const { runId, attemptId } of ownerless) {
      const since = ownerlessSince.get(runId) ?? now;
      ownerlessSince.set(runId, since);
      if (now - since < seenTwiceMs) continue;
      deps.log.warn({ runId, attemptId }, 'run.ownerless');
      await deps.runner.cancel(runId);
    }
  };

  return async () => {
    await readOutboxes();
    await stopOwnerless();
    return 'idle';
  };
}
