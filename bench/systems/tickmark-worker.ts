import os from 'node:os';
import type { Callback } from '@/lib/contract/callback';
import { createDb, type Db } from '@/lib/db/client';
import { createLogger } from '@/lib/log';
import { type CallbackGroups, createCallbackGroups } from '@/lib/queue/callback-groups';
import { type ClaimedTask, claimTasks } from '@/lib/queue/claim';
import { idempotencyToken, recordDispatch, recordFull } from '@/lib/queue/dispatch';
import { type SweepOptions, succeedOnce, sweepOnce } from '@/lib/queue/sweep';
import { beat, leave, type WorkerProcess } from '@/lib/queue/worker-heartbeat';
import { priceUsages } from '@/lib/usage/price';
import { type Bell, createBell } from '@/worker/bell';
import { keepOnce } from '@/worker/keeper';
import { type Pace, runLoop } from '@/worker/loop';
import { createWorkerMetrics } from '@/worker/metrics';
import { openWorkerSession, type WorkerSession } from '@/worker/session';
import { advanceOnce, calibrateOnce, tuneOnce } from '@/worker/tuner';
import { InProcessRunner } from './in-process-runner';
import type { Consumer, Handle, Place, System, TaskPayload } from './system';
import { type BenchAgents, openTickmarkProducer, registerAgents } from './tickmark-agents';

export interface TickmarkWorkerOptions extends BenchAgents {
  /** Tasks at once in one process. */
  readonly slots: number;
  /** False: no session tells of the worker's end, only its leases do. */
  readonly session?: boolean;
  /** When a task's run is noted, as soon as it is started, or only once it has ended. */
  readonly note?: 'at start' | 'at end';
}

/** The product's defaults. */
const LEASE_SECONDS = 15;
const POLL_MS = 1000;
const SWEEP_MS = 1000;
const SUCCESSION_MS = 400;
const KEEP_MS = 1500;
const HEARTBEAT_MS = 3000;
const ADVANCE_MS = 2000;
const TUNE_MS = 5000;
const CALIBRATE_MS = 30_000;
const HOOKS = { priceUsages };
const MODEL = 'tickmark-rules-1';

/**
 * Tickmark's worker with a test runner: its own loops and session, claim → dispatch → report one task at a time, reports
 * in the groups in which they arrive.
 */
export function tickmarkWorker(options: TickmarkWorkerOptions): System {
  return {
    contents: 'tickmark',
    needsRedis: false,
    async prepare({ databaseUrl }) {
      const db = createDb(databaseUrl, { applicationName: 'bench prepare', max: 1 });
      await registerAgents(db, options).finally(() => db.$client.end());
    },
    openProducer: (place) => openTickmarkProducer(place, options.agents),
    async openConsumer(place, handle) {
      return new TickmarkWorker(place, options, handle);
    },
  };
}

class TickmarkWorker implements Consumer {
  readonly #db: Db;
  readonly #self: WorkerProcess;
  readonly #groups: CallbackGroups;
  readonly #runner: InProcessRunner;
  readonly #tasks = new Map<string, ClaimedTask>();
  readonly #log = createLogger('bench', 'error');
  readonly #stopping = new AbortController();
  readonly #dispatchBell: Bell = createBell();
  readonly #keeperBell: Bell = createBell();
  #session: WorkerSession | undefined;
  #loops: Promise<void>[] = [];

  constructor(
    private readonly place: Place,
    private readonly options: TickmarkWorkerOptions,
    private readonly handle: Handle,
  ) {
    const id = `bench-${process.pid}`;
    this.#self = { id, host: os.hostname(), pid: process.pid, version: 'bench' };
    this.#db = createDb(place.databaseUrl, { applicationName: 'bench worker', max: 10 });
    this.#groups = createCallbackGroups({ db: this.#db, hooks: HOOKS });
    const ring = () => this.#dispatchBell.ring();
    this.#runner = new InProcessRunner(options.slots, (attemptId) => this.#work(attemptId), ring);
  }

  async start(): Promise<void> {
    const around = { database: this.place.databaseUrl, self: this.#self, log: this.#log };
    const onPing = () => this.#dispatchBell.ring();
    if (this.options.session !== false) this.#session = openWorkerSession({ ...around, onPing });
    this.#loops = this.#startLoops();
  }

  #startLoops(): Promise<void>[] {
    const { signal } = this.#stopping;
    const [db, log, sweeping] = [this.#db, this.#log, this.#sweeping()];
    const loop = (name: string, intervalMs: number, tick: () => Promise<Pace>, bell = createBell()) =>
      runLoop(name, tick, { intervalMs, signal, log, bell });
    const duty = (name: string, intervalMs: number, work: () => Promise<unknown>) =>
      loop(name, intervalMs, async () => {
        await work();
        return 'idle';
      });
    const watching = { ...sweeping, db, log, metrics: createWorkerMetrics() };
    const onLost = () => this.#keeperBell.ring();
    return [
      loop('dispatch', POLL_MS, () => this.#dispatchOnce(), this.#dispatchBell),
      loop('keeper', KEEP_MS, () => keepOnce(watching), this.#keeperBell),
      duty('successor', SUCCESSION_MS, () => succeedOnce(db, sweeping, onLost)),
      duty('sweeper', SWEEP_MS, () => sweepOnce(db, sweeping)),
      duty('cursors', ADVANCE_MS, () => advanceOnce(db, log)),
      duty('tuner', TUNE_MS, () => tuneOnce(db, log)),
      duty('calibrator', CALIBRATE_MS, () => calibrateOnce(db, log)),
      duty('heartbeat', HEARTBEAT_MS, () => beat(db, this.#self)),
    ];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
    await this.#session?.close();
    await leave(this.#db, this.#self.id);
    await this.#db.$client.end();
  }

  #sweeping(): SweepOptions {
    return {
      ...{ runner: this.#runner, workerId: this.#self.id, leaseSeconds: LEASE_SECONDS, hooks: HOOKS },
      readOutbox: async () => null,
      redispatch: (task) => this.#dispatch(task),
      onError: (err) => this.#log.error({ err }, 'sweep.failed'),
    };
  }

  async #dispatchOnce(): Promise<Pace> {
    if (this.#session && !this.#session.mayDispatch()) return 'soon';
    const limit = await this.#runner.freeSlots();
    if (limit === 0) return 'soon';
    const workerId = this.#self.id;
    const claimed = await claimTasks(this.#db, { workerId, limit, leaseSeconds: LEASE_SECONDS });
    const dispatched = Promise.all(claimed.map((task) => this.#dispatch(task)));
    // Those that never come back from their dispatch don't hold up the next claim.
    if (this.options.note !== 'at end') await dispatched;
    return claimed.length > 0 ? 'again' : 'idle';
  }

  async #dispatch(task: ClaimedTask): Promise<void> {
    const { attemptId, maxRunSeconds } = task;
    const workerId = this.#self.id;
    this.#tasks.set(attemptId, task);
    // Whose claim is to be found undispatched never comes back from here.
    if (this.options.note === 'at end') await this.handle(task.input as TaskPayload);
    const outcome = await this.#runner.submit({
      ...{ attemptId, maxRunSeconds, inputPath: '', idempotencyToken: idempotencyToken('bench', attemptId) },
    });
    if (outcome.kind === 'submitted') {
      await recordDispatch(this.#db, { attemptId, runId: outcome.runId, workerId });
    } else {
      await recordFull(this.#db, { attemptId, retryAfterSeconds: 1, everywhere: false, workerId });
    }
  }

  /** One run, from its start to its report. */
  async #work(attemptId: string): Promise<void> {
    const task = this.#tasks.get(attemptId);
    if (!task) return;
    const payload = task.input as TaskPayload;
    try {
      if (this.options.note !== 'at end') await this.handle(payload);
      await this.#groups.apply(
        { attemptId, webhookId: `final:${attemptId}`, callback: report(task, payload) },
        500,
      );
    } catch (err) {
      this.#log.error({ err }, 'report.failed');
    } finally {
      this.#tasks.delete(attemptId);
    }
  }
}

function report({ taskId, attemptId, traceId }: ClaimedTask, { tokens, fails }: TaskPayload): Callback {
  const used = { cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, costUsd: null, calls: [] };
  const usage = tokens === undefined ? null : { model: MODEL, inputTokens: tokens, ...used };
  const head = { taskId, attemptId, traceId, runId: null, usage };
  if (fails) {
    const error = { code: 'internal', message: 'as asked for', retryable: true, retryAfterSeconds: null };
    return { type: 'attempt.failed', ...head, error };
  }
  const result = { documentType: null, confidence: null, warnings: [], fields: [] };
  return { type: 'attempt.succeeded', ...head, result };
}
