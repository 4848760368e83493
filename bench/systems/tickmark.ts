import { sql } from 'drizzle-orm';
import type { Callback } from '@/lib/contract/callback';
import { createDb, type Db } from '@/lib/db/client';
import { type Listener, listen } from '@/lib/db/listen';
import { applyCallbacks, type CallbackHooks, type Delivery } from '@/lib/queue/callback';
import { type ClaimedTask, claimTasks } from '@/lib/queue/claim';
import { enqueueTasks } from '@/lib/queue/enqueue';
import { priceUsages } from '@/lib/usage/price';
import { Bell } from '../bell';
import { type Consumer, type Handle, inBatches, type Place, type Producer, type System } from './system';

export interface TickmarkOptions {
  /** Tasks claimed at once, and reports applied at once. */
  readonly batch: number;
  /** Connections of a worker process, each with a claim or a group of reports under way. */
  readonly connections: number;
  readonly agents?: number;
  /** The agents' `max_concurrent_tasks`; null: no limit is set. Default 5,000, which never stops anybody here. */
  readonly limit?: number | null;
  /** False: without the trigger that says that something changed. */
  readonly notify?: boolean;
}

const LEASE_SECONDS = 30;
const PRIORITY = { low: 0, high: 90 };
/** As the product's own. */
const HOOKS: CallbackHooks = { priceUsages };
const agentId = (n: number) => `bench-${n}`;

/** Tickmark's own queue, as the product uses it: attempts, history, exact limits, notifications, reports in groups. */
export function tickmark(options: TickmarkOptions): System {
  const agents = options.agents ?? 1;
  return {
    contents: 'tickmark',
    needsRedis: false,
    async prepare({ databaseUrl }) {
      const db = createDb(databaseUrl, { applicationName: 'bench prepare', max: 1 });
      try {
        await registerAgents(db, agents, options.limit === undefined ? 5000 : options.limit);
        if (options.notify === false) await db.execute(sql`drop trigger tasks_notify on tickmark.tasks`);
      } finally {
        await db.$client.end();
      }
    },
    openProducer: (place) => openProducer(place, agents),
    async openConsumer(place, handle) {
      return new TickmarkConsumer(place, options, handle);
    },
  };
}

async function registerAgents(db: Db, count: number, limit: number | null): Promise<void> {
  const definition = JSON.stringify({ kind: 'external' });
  for (let n = 0; n < count; n += 1) {
    await db.execute(sql`
      insert into tickmark.agents (id, name, max_concurrent_tasks) values (${agentId(n)}, ${agentId(n)}, ${limit})`);
    await db.execute(sql`
      insert into tickmark.agent_versions (agent_id, version, definition)
      values (${agentId(n)}, 1, ${definition}::json)`);
  }
}

async function openProducer({ databaseUrl }: Place, agents: number): Promise<Producer> {
  const db = createDb(databaseUrl, { applicationName: 'bench producer', max: 2 });
  const task = { estimate: { tokens: 100, seconds: 1 }, actor: 'bench' };
  return {
    enqueueMany: (count) =>
      inBatches(count, (payloads) =>
        enqueueTasks(
          db,
          payloads.map((input) => ({
            ...task,
            agentId: agentId(input.n % agents),
            priority: PRIORITY.low,
            input,
          })),
        ),
      ),
    async enqueueOne(input, priority) {
      await enqueueTasks(db, [{ ...task, agentId: agentId(0), priority: PRIORITY[priority], input }]);
    },
    async countOpen() {
      const { rows } = await db.execute<{ open: number }>(sql`
        select count(*)::integer as open from tickmark.tasks where status in ('enqueued', 'processing')`);
      return rows[0]?.open ?? 0;
    },
    close: () => db.$client.end(),
  };
}

/** A worker process: lanes that each claim, hand over to the handler and apply the reports. */
class TickmarkConsumer implements Consumer {
  readonly #db: Db;
  readonly #bell = new Bell();
  readonly #workerId = `bench-${process.pid}`;
  #lanes: Promise<void>[] = [];
  #listener: Listener | undefined;
  #stopping = false;

  constructor(
    private readonly place: Place,
    private readonly options: TickmarkOptions,
    private readonly handle: Handle,
  ) {
    const { databaseUrl } = place;
    this.#db = createDb(databaseUrl, { applicationName: 'bench worker', max: options.connections });
  }

  async start(): Promise<void> {
    const { databaseUrl } = this.place;
    const onPing = () => this.#bell.ring();
    this.#listener = listen({ databaseUrl, applicationName: 'bench worker listen', onPing });
    this.#lanes = Array.from({ length: this.options.connections }, () => this.#lane());
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#bell.ring();
    await Promise.all(this.#lanes);
    await this.#listener?.close();
    await this.#db.$client.end();
  }

  async #lane(): Promise<void> {
    const { batch } = this.options;
    const claim = { workerId: this.#workerId, limit: batch, leaseSeconds: LEASE_SECONDS };
    while (!this.#stopping) {
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

function success({ taskId, attemptId, traceId }: ClaimedTask): Delivery {
  const result = { documentType: null, confidence: null, warnings: [], fields: [] };
  const callback: Callback = {
    ...{ type: 'attempt.succeeded', taskId, attemptId, traceId, runId: null, usage: null, result },
  };
  return { attemptId, webhookId: `final:${attemptId}`, callback };
}
