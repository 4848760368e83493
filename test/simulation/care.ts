import { calibrate } from '@/lib/documents/calibrate';
import { aFewAtOnce } from '@/lib/queue/a-few-at-once';
import { advanceClaimCursors } from '@/lib/queue/claim-cursors';
import { extendLeases, listWatched } from '@/lib/queue/lease';
import { findOver, findOwnerless, listSilent } from '@/lib/queue/run-owners';
import { applyOutbox, settleGone } from '@/lib/queue/settle-gone';
import { type SweepOptions, succeedOnce, sweepOnce } from '@/lib/queue/sweep';
import { tuneAgents } from '@/lib/queue/tune-agents';
import { redispatch } from './dispatching';
import { LEASE_SECONDS } from './lane';
import { type Mood, Outage } from './sim-runner';
import type { Deeds } from './step';
import type { World } from './world';

/** Who looks after what nobody else does. */
export const care = {
  async sweep(w, { a, b }) {
    // Also of tasks that nobody claimed: their rows do not match.
    const expired = w.tasks.filter((_, place) => (place + b) % 3 > 0);
    await w.lane.watch.query(
      `with locked as materialized (
         select id from tickmark.tasks where status = 'processing' and id = any($1::uuid[]) order by id for update
       )
       update tickmark.tasks t set lease_expires_at = clock_timestamp() - interval '1 second'
       from locked where t.id = locked.id`,
      [expired],
    );
    if (b % 5 === 0) await w.lane.watch.query("update tickmark.settings set strays_checked_at = '-infinity'");
    await meanwhile(w, b, async (mood) => {
      await sweepOnce(w.db, sweepOptions(w, w.worker(a).id, mood));
    });
  },

  async keep(w, { b }) {
    await meanwhile(w, b, async () => {
      const watched = await listWatched(w.db, { limit: 1000 });
      const states = await w.runner.status(watched.map(({ runId }) => runId));
      const alive = watched.filter(({ runId }) => states.get(runId)?.state === 'alive');
      const attemptIds = alive.map(({ attemptId }) => attemptId);
      await extendLeases(w.db, { attemptIds, leaseSeconds: LEASE_SECONDS });
      await aFewAtOnce(4, watched, async ({ attemptId, runId }) => {
        const state = states.get(runId);
        if (state?.state === 'gone') await settleGone(w.db, settleOptions(w), attemptId, state);
      });
    });
  },

  async takeOver(w, { a, b }) {
    await succeedOnce(w.db, sweepOptions(w, w.worker(a).id, moodOf(b)));
  },

  async reconcile(w, { b }) {
    await meanwhile(w, b, async () => {
      const silent = await listSilent(w.db, { seconds: 0, after: null, limit: 200 });
      for (const attemptId of silent) await applyOutbox(w.db, settleOptions(w), attemptId);
      const alive = await w.runner.listAlive();
      for (const { runId } of await findOwnerless(w.db, alive)) await w.runner.cancel(runId);
      await findOver(
        w.db,
        w.attempts.map(({ attemptId }) => attemptId),
      );
    });
  },

  async tune(w) {
    await tuneAgents(w.db);
  },

  /** As if walking over what has been claimed had become slow. */
  async advance(w) {
    await advanceClaimCursors(w.db, 0);
  },

  async learn(w) {
    await calibrate(w.db);
  },
} satisfies Partial<Deeds>;

const settleOptions = (w: World) => ({ readOutbox: w.readOutbox, hooks: w.hooks, onError: w.onError });

export function sweepOptions(w: World, workerId: string, mood: Mood = 'takes'): SweepOptions {
  return {
    ...settleOptions(w),
    runner: w.runner,
    workerId,
    leaseSeconds: LEASE_SECONDS,
    redispatch: (claimed) => redispatch(w, workerId, claimed, mood),
  };
}

const moodOf = (b: number): Mood => (['full', 'unknown', 'unknown_started'] as const)[b % 17] ?? 'takes';

/** The runner may be out of reach, or not know; whoever meets that gives up for now. */
async function meanwhile(w: World, b: number, look: (mood: Mood) => Promise<void>): Promise<void> {
  if (b % 7 === 0) w.runner.outage = 'throws';
  if (b % 7 === 1) w.runner.outage = 'unreachable';
  try {
    await look(moodOf(b));
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
  } finally {
    w.runner.outage = 'none';
  }
}
