import { withTransaction } from '@/lib/db/transaction';
import { type ClaimedTask, claimTasks } from '@/lib/queue/claim';
import { enqueueTasks, type NewTask } from '@/lib/queue/enqueue';
import { snoozeAttempt } from '@/lib/queue/snooze';
import { leave } from '@/lib/queue/worker-heartbeat';
import { registerWorker } from '@/lib/queue/worker-session';
import { dispatch } from './dispatching';
import { AGENTS, DOCUMENT, EXTRACTIONS, LEASE_SECONDS, WORKERS } from './lane';
import { LATER } from './later';
import type { Deeds } from './step';
import { Broken, type SimWorker, type World } from './world';

const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

/** Rolls a transaction back as a crash before its commit does. */
class Crash extends Error {}

/** What a worker does from the claim to the noted run, and how it dies in between. */
export const work = {
  async enqueue(w, { a, b }) {
    // Every eighth is a document that waits to be inspected.
    const estimate =
      b % 8 === 7 ? undefined : { tokens: at([60, 0, 250, 900], b), seconds: at([9, 9, 150], b) };
    const task: NewTask = {
      agentId: at(AGENTS, a),
      priority: at([50, 10, 50, 90, 70], b),
      extractionId: b % 3 === 0 ? null : at(EXTRACTIONS, b),
      documentId: b % 2 === 1 ? DOCUMENT : null,
      input:
        b % 2 === 0 ? { odd: `\0${String.fromCharCode(0xd800)}`, huge: 1e308, not: Number.NaN } : undefined,
      ...(estimate ? { estimate } : {}),
      actor: 'user:1',
    };
    const enqueued = await enqueueTasks(w.db, Array(1 + (b % 4)).fill(task));
    w.tasks.push(...enqueued.map(({ id }) => id));
  },

  async claim(w, { a, b }) {
    const worker = w.worker(a);
    if (b % 13 === 1) {
      // It dies before its commit.
      await withTransaction(w.db, async (tx) => {
        await claimTasks(tx, { workerId: worker.id, limit: 3, leaseSeconds: LEASE_SECONDS });
        throw new Crash();
      }).catch((error) => {
        if (!(error instanceof Crash)) throw error;
      });
      return;
    }
    // What did not fit has often waited for long by then.
    if (b % 3 === 0) await w.lane.watch.query(LATER.blocked);
    const claimed = await claim(w, worker, 1 + (b % 5));
    // Every thirteenth time it dies before it hears what it got.
    if (b % 13 !== 0) hold(worker, claimed);
  },

  async rush(w, { a, b }) {
    const several = Array.from({ length: 2 + (b % 3) }, (_, n) => w.worker(a + n));
    await Promise.all(
      several.map(async (worker, n) => {
        const limit = 1 + ((b + n) % 4);
        const claimed = await claimTasks(w.db, { workerId: worker.id, limit, leaseSeconds: LEASE_SECONDS });
        w.know(claimed);
        hold(worker, claimed);
      }),
    );
  },

  async dispatch(w, { a, b }) {
    const worker = w.worker(a);
    const [held] = worker.held.splice(b % Math.max(1, worker.held.length), 1);
    if (held && (await dispatch(w, worker, held, b))) worker.held.push(held);
  },

  async dispatchAll(w, { a, b }) {
    const worker = w.worker(a);
    const all = worker.held.splice(0);
    await Promise.all(
      all.map(async (held, n) => {
        if (await dispatch(w, worker, held, b % 3 === 0 ? b + n : 50)) worker.held.push(held);
      }),
    );
  },

  async crash(w, { a }) {
    const worker = w.worker(a);
    worker.held = [];
    worker.life += 1;
    worker.id = `w${worker.n}.${worker.life}`;
    await w.lane.sessions[worker.n]?.query('select pg_advisory_unlock_all()');
  },

  async drainWorker(w, { a }) {
    const worker = w.worker(a);
    const { id } = worker;
    await Promise.all(
      worker.held.splice(0).map(async ({ claimed, submitted }) => {
        if (submitted) return;
        const given = { attemptId: claimed.attemptId, delaySeconds: 0, workerId: id };
        await snoozeAttempt(w.db, { ...given, reason: 'worker stopped before dispatch' });
      }),
    );
    await leave(w.db, id);
    await work.crash(w, { a, b: 0 });
  },

  async register(w, { a }) {
    const worker = w.worker(a);
    const session = w.lane.sessions[worker.n];
    if (session) await registerWorker(session, { id: worker.id, host: 'h', pid: 1, version: 'v' });
  },

  /** The worker lives on and does not know yet. */
  async loseSession(w, { a }) {
    await w.lane.sessions[a % WORKERS]?.query('select pg_advisory_unlock_all()');
  },
} satisfies Partial<Deeds>;

/** One that is alone is watched more closely: nothing that is due and fits may be left behind, where it had room. */
async function claim(w: World, { id }: SimWorker, limit: number): Promise<ClaimedTask[]> {
  const options = { workerId: id, limit, leaseSeconds: LEASE_SECONDS };
  if (!w.alone) {
    const claimed = await claimTasks(w.db, options);
    w.know(claimed);
    return claimed;
  }
  const claimed = await withTransaction(w.db, async (tx) => {
    const got = await claimTasks(tx, options);
    if (got.length < limit) {
      const left = await tx.execute<{ left_behind: string }>('select * from watch.left_behind()');
      if (left.rows[0]) throw new Broken(`${left.rows[0].left_behind} (${got.length} of ${limit})`);
    }
    return got;
  });
  w.know(claimed);
  return claimed;
}

function hold(worker: SimWorker, claimed: readonly ClaimedTask[]): void {
  worker.held.push(...claimed.map((task) => ({ claimed: task, submitted: false })));
}
