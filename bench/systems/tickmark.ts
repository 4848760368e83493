import { sql } from 'drizzle-orm';
import type { Callback } from '@/lib/contract/callback';
import { createDb, type Db } from '@/lib/db/client';
import { type Listener, listen } from '@/lib/db/listen';
import { createLogger } from '@/lib/log';
import { applyCallbacks, type CallbackHooks, type Delivery } from '@/lib/queue/callback';
import { type ClaimedTask, claimTasks } from '@/lib/queue/claim';
import { priceUsages } from '@/lib/usage/price';
import { createBell } from '@/worker/bell';
import { runLoop } from '@/worker/loop';
import { advanceOnce } from '@/worker/tuner';
import { Bell } from '../bell';
import type { Consumer, Handle, Place, System } from './system';
import { type BenchAgents, openTickmarkProducer, registerAgents } from './tickmark-agents';

export interface TickmarkOptions extends BenchAgents {
  /** Tasks claimed at once, and reports applied at once. */
  readonly batch: number;
  /** Connections of a worker process, each with a claim or a group of reports under way. */
  readonly connections: number;
  /** False: without the trigger that says that something changed. */
  readonly notify?: boolean;
}

const LEASE_SECONDS = 30;
/** As the product's worker does it. */
const ADVANCE_MS = 2000;
/** As the product's own. */
const HOOKS: CallbackHooks = { priceUsages };

/** Tickmark's own queue, as the product uses it: attempts, history, exact limits, notifications, reports in groups. */
export function tickmark(options: TickmarkOptions): System {
  return {
    contents: 'tickmark',
    needsRedis: false,
    async prepare({ databaseUrl }) {
      const db = createDb(databaseUrl, { applicationName: 'bench prepare', max: 1 });
      try {
        await registerAgents(db, options);
        if (options.notify === false) await db.execute(sql`drop trigger tasks_notify on tickmark.tasks`);
      } finally {
        await db.$client.end();
      }
    },
    openProducer: (place) => openTickmarkProducer(place, options.agents),
    async openConsumer(place, handle) {
      return new TickmarkConsumer(place, options, handle);
    },
  };
}

/** A worker process: lanes that each claim, hand over to the handler and apply the reports. */
class TickmarkConsumer implements Consumer {
  readonly #db: Db;
  readonly #bell = new Bell();
  /** For what a worker does beside its claims. */
  readonly #upkeep: Db;
  readonly #stop = new AbortController();
  readonly #workerId = `bench-${process.pid}`;
  #lanes: Promise<void>[] = [];
  #listener: Listener | undefined;

  constructor(
    private readonly place: Place,
    private readonly options: TickmarkOptions,
    private readonly handle: Handle,
  ) {
    const { databaseUrl } = place;
    this.#db = createDb(databaseUrl, { applicationName: 'bench worker', max: options.connections });
    this.#upkeep = createDb(databaseUrl, { applicationName: 'bench upkeep', max: 1 });
  }

  async start(): Promise<void> {
    const { databaseUrl } = this.place;
    const onPing = () => this.#bell.ring();
    this.#listener = listen({ database: databaseUrl, applicationName: 'bench worker listen', onPing });
    const log = createLogger('bench', 'error');
    const upkeep = runLoop('cursors', () => advanceOnce(this.#upkeep, log), {
      ...{ intervalMs: ADVANCE_MS, signal: this.#stop.signal, log, bell: createBell() },
    });
    const lanes = Array.from({ length: this.options.connections }, () => this.#lane());
    this.#lanes = [...lanes, upkeep];
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#bell.ring();
    await Promise.all(this.#lanes);
    await this.#listener?.close();
    await Promise.all([this.#db.$client.end(), this.#upkeep.$client.end()]);
  }

  async #lane(): Promise<void> {
    const { batch } = this.options;
    const claim = { workerId: this.#workerId, limit: batch, leaseSeconds: LEASE_SECONDS };
    while (!this.#stop.signal.aborted) {
      const heard = this.#bell.listen();
      const tasks = await claimTasks(this.#db, claim);
      if (tasks.length === 0) await heard();
      else await this.#work(tasks);
    }
  }

  async #work(tasks: readonly ClaimedTask[]): Promise<void> {
    const handled: (void | Promise<void>)[] = [];
    for (const { input } of tasks) handled.push(this.handle(input as Parameters<Handle>[0]));
    await Promise.all(handled);
    await applyCallbacks(this.#db, tasks.map(success), HOOKS);
  }
}

/** The report of a task that did nothing. */
export function success({ taskId, attemptId, traceId }: ClaimedTask): Delivery {
  const result = { documentType: null, confidence: null, warnings: [], fields: [] };
  const callback: Callback = {
    ...{ type: 'attempt.succeeded', taskId, attemptId, traceId, runId: null, usage: null, result },
  };
  return { attemptId, webhookId: `final:${attemptId}`, callback };
}
