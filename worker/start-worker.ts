import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { readOutbox } from '@/lib/callbacks/read-outbox';
import { runEnvironment } from '@/lib/config/run-environment';
import { type Config, ConfigError } from '@/lib/config/schema';
import { listen } from '@/lib/db/listen';
import type { RunSettings } from '@/lib/documents/run-input';
import type { Logger } from '@/lib/log';
import { readSettings } from '@/lib/queue/settings';
import { sweepOnce } from '@/lib/queue/sweep';
import { beat, leave } from '@/lib/queue/worker-heartbeat';
import { createJobRunner, createRuntime, type Runtime } from '@/lib/runtime';
import { priceUsage } from '@/lib/usage/price';
import packageJson from '@/package.json' with { type: 'json' };
import { type Bell, createBell } from './bell';
import { dispatchAttempt } from './dispatch';
import { dispatchOnce } from './dispatch-loop';
import { createInspectPool } from './inspect-pool';
import { createInspector } from './inspector';
import { keepOnce } from './keeper';
import { type Pace, runLoop } from './loop';
import { stopRuns } from './stop-runs';

/** Scripts that a worker starts as processes. */
export interface WorkerScripts {
  readonly host: string;
  readonly agent: string;
  readonly inspect: string;
}

export interface Worker {
  readonly id: string;
  /** Stops claiming, gives back what is not dispatched, and leaves. Runs go on unless `stopRuns`. Idempotent. */
  stop(how: { readonly stopRuns: boolean }): Promise<void>;
}

/** What one run may use. */
const RUN_MEMORY_MB = 1_536;
const INSPECT_SECONDS = 10;
const INSPECT_MEMORY_MB = 512;
/** Beyond its own time limit: waiting for a child, and for the database. */
const INSPECT_HOLD_SECONDS = 3 * INSPECT_SECONDS;

const POLL_MS = 1_000;
const HEARTBEAT_MS = 3_000;
/** Runs of this machine are cheap to ask about, and one that is gone should not keep its task waiting. */
const KEEP_MS = 1_500;
const STOP_RUNS_MS = 6_500;

/** Composes a worker and starts its loops. Throws `ConfigError` where a setting is missing. */
export async function startWorker(config: Config, scripts: WorkerScripts, log: Logger): Promise<Worker> {
  const runtime = await createRuntime(config, { name: 'tickmark worker', log });
  const { db, documents: store } = runtime;
  const runner = createJobRunner(config, scripts);
  const { environmentId } = await readSettings(db);
  const id = `${os.hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const self = { id, host: os.hostname(), pid: process.pid, version: packageJson.version };
  const { leaseSeconds } = config;
  await beat(db, self);

  const draining = new AbortController();
  const bells = { dispatch: createBell(), inspect: createBell() };
  const listener = listen({
    databaseUrl: config.databaseUrl ?? '',
    applicationName: 'tickmark worker listener',
    onPing: () => {
      bells.dispatch.ring();
      bells.inspect.ring();
    },
  });
  const atOnce = Math.max(1, os.availableParallelism() - 1);
  const pool = createInspectPool({
    script: scripts.inspect,
    size: atOnce,
    environment: runEnvironment(),
    timeoutMs: INSPECT_SECONDS * 1000,
    maxMemoryMb: INSPECT_MEMORY_MB,
    log,
  });
  const inspector = createInspector({
    db,
    store,
    pool,
    atOnce,
    holdSeconds: INSPECT_HOLD_SECONDS,
    maxPages: config.maxPages,
    log,
    onRoom: bells.inspect.ring,
    onClaimable: bells.dispatch.ring,
  });
  const receiving = { db, store, webhookSecret: runtime.secrets.webhookSecret, log };
  const watching = {
    db,
    runner,
    leaseSeconds,
    log,
    hooks: { priceUsage },
    readOutbox: (attemptId: string) => readOutbox(receiving, attemptId),
  };
  const dispatching = {
    db,
    store,
    runner,
    workerId: id,
    environmentId,
    settings: runSettings(runtime),
    log,
    draining: draining.signal,
    leaseSeconds,
  };
  const sweeping = {
    ...watching,
    redispatch: (task: Parameters<typeof dispatchAttempt>[1]) => dispatchAttempt(dispatching, task),
    onError: (err: unknown, about: object) => log.error({ ...about, err }, 'sweep.failed'),
  };

  const loop = (name: string, tick: () => Promise<Pace>, intervalMs: number, bell: Bell = createBell()) =>
    runLoop(name, tick, { intervalMs, signal: draining.signal, log, bell });
  const loops = [
    loop('inspect', inspector.tick, POLL_MS, bells.inspect),
    loop('dispatch', () => dispatchOnce(dispatching), POLL_MS, bells.dispatch),
    loop('keeper', () => keepOnce(watching), KEEP_MS),
    loop('sweeper', () => sweep(sweeping), config.sweepIntervalSeconds * 1000),
    loop('heartbeat', () => beat(db, self).then(() => 'idle' as const), HEARTBEAT_MS),
  ];
  log.info({ workerId: id, version: self.version }, 'worker.started');

  const stop = async (how: { readonly stopRuns: boolean }) => {
    draining.abort();
    pool.close();
    await listener.close();
    await Promise.all(loops);
    await inspector.settled();
    if (how.stopRuns) await stopRuns({ ...watching, workerId: id }, STOP_RUNS_MS);
    await leave(db, id);
    await db.$client.end();
    log.info({ workerId: id, ...how }, 'worker.stopped');
  };
  let stopping: Promise<void> | undefined;
  return {
    id,
    stop(how) {
      stopping ??= stop(how);
      return stopping;
    },
  };
}

async function sweep(
  deps: Parameters<typeof sweepOnce>[1] & { db: Runtime['db']; log: Logger },
): Promise<Pace> {
  const report = await sweepOnce(deps.db, deps);
  if (Object.values(report).some((count) => count > 0)) deps.log.info(report, 'sweep');
  return 'idle';
}

function runSettings({ config, secrets }: Runtime): RunSettings {
  if (!config.model) {
    throw new ConfigError(
      'MODEL_BASE_URL, MODEL_NAME: needed by a worker (npm start brings a model of its own)',
    );
  }
  return {
    callbackUrl: `${config.url}/api/v1/callbacks`,
    webhookSecret: secrets.webhookSecret,
    model: {
      baseUrl: config.model.baseUrl,
      apiKey: config.model.apiKey ?? null,
      name: config.model.name,
    },
    maxMemoryMb: RUN_MEMORY_MB,
    maxPages: config.maxPages,
  };
}
