import { setTimeout as delay } from 'node:timers/promises';
import { createDb } from '@/lib/db/client';
import { createLogger } from '@/lib/log';
import { applyCallbacks, type Delivery } from '@/lib/queue/callback';
import { type ClaimedTask, claimTasks } from '@/lib/queue/claim';
import { enqueueTasks, type NewTask } from '@/lib/queue/enqueue';
import { priceUsages } from '@/lib/usage/price';
import { createBell } from '@/worker/bell';
import { runLoop } from '@/worker/loop';
import { createRollUp } from '@/worker/roll-up';
import { advanceOnce } from '@/worker/tuner';
import { now } from '../clock';
import { success } from '../systems/tickmark';

const TICK_MS = 100;
/** Enqueued, claimed, completed. */
const TRANSITIONS_PER_TASK = 3;
const ROLL_UP_MS = 1_000;
const ADVANCE_MS = 2_000;
/** Tasks claimed and completed at once when there is no pace to keep. */
const BATCH = 50;
const AGENTS = ['invoice', 'contract', 'financial-report', 'general', 'auto'];

/** A queue under way: tasks come, are claimed and completed with usage, and a worker's loops keep the figures. */
export class Transitions {
  readonly #db;
  readonly #upkeep;
  readonly #stop = new AbortController();
  readonly #loops: Promise<void>[];
  /** Tasks completed so far. */
  completed = 0;

  constructor(databaseUrl: string) {
    this.#db = createDb(databaseUrl, { applicationName: 'bench transitions', max: 4 });
    this.#upkeep = createDb(databaseUrl, { applicationName: 'bench upkeep', max: 2 });
    const [log, db, signal] = [createLogger('bench', 'error'), this.#upkeep, this.#stop.signal];
    const loop = (name: string, tick: Parameters<typeof runLoop>[1], intervalMs: number) =>
      runLoop(name, tick, { intervalMs, signal, log, bell: createBell() });
    this.#loops = [
      loop('roll-up', createRollUp({ db, log }), ROLL_UP_MS),
      loop('cursors', () => advanceOnce(db, log), ADVANCE_MS),
    ];
  }

  /** Keeps up so many transitions a second while `work` runs; the number of waiting tasks stays as it is. */
  async during<T>(perSecond: number, work: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    const load = this.#pace(perSecond / TRANSITIONS_PER_TASK, over.signal);
    try {
      return await work();
    } finally {
      over.abort();
      await load;
    }
  }

  /** Claims and completes as fast as it goes, and puts as many new ones behind. @returns tasks a second */
  async flatOut(seconds: number): Promise<number> {
    const [begun, before] = [now(), this.completed];
    const until = begun + seconds * 1000;
    const lane = async () => {
      while (now() < until) {
        await this.#turn(BATCH);
        await enqueueTasks(
          this.#db,
          Array.from({ length: BATCH }, (_, n) => newTask(n)),
        );
      }
    };
    await Promise.all([lane(), lane()]);
    return (this.completed - before) / ((now() - begun) / 1000);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
    await Promise.all([this.#db.$client.end(), this.#upkeep.$client.end()]);
  }

  async #pace(tasksPerSecond: number, over: AbortSignal): Promise<void> {
    const begun = now();
    for (let put = 0; !over.aborted; ) {
      const due = Math.floor(((now() - begun) / 1000) * tasksPerSecond) - put;
      if (due > 0) {
        await enqueueTasks(
          this.#db,
          Array.from({ length: due }, (_, n) => newTask(put + n)),
        );
        put += due;
        await this.#turn(due);
      }
      await delay(TICK_MS);
    }
  }

  async #turn(limit: number): Promise<void> {
    const tasks = await claimTasks(this.#db, { workerId: 'bench', leaseSeconds: 600, limit });
    await applyCallbacks(this.#db, tasks.map(withUsage), { priceUsages });
    this.completed += tasks.length;
  }
}

function newTask(n: number): NewTask {
  const agentId = AGENTS[n % AGENTS.length] ?? 'general';
  return { agentId, priority: 50, estimate: { tokens: 900, seconds: 3 }, actor: 'bench' };
}

function withUsage(task: ClaimedTask): Delivery {
  const { callback, ...delivery } = success(task);
  const usage = {
    ...{
      model: 'tickmark-rules',
      inputTokens: 900,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 90,
    },
    ...{ costUsd: null, calls: [] },
  };
  return { ...delivery, callback: { ...callback, usage } };
}
