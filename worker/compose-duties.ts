import os from 'node:os';
import { readOutbox } from '@/lib/callbacks/read-outbox';
import type { ProgramAgent } from '@/lib/config/agents-file';
import { runEnvironment } from '@/lib/config/run-environment';
import { type Config, ConfigError } from '@/lib/config/schema';
import type { RunSettings } from '@/lib/documents/run-input';
import type { Logger } from '@/lib/log';
import type { JobRunner } from '@/lib/platform/job-runner/port';
import type { TraceSource } from '@/lib/platform/trace-source/port';
import { traceTarget } from '@/lib/platform/trace-source/settings';
import type { ClaimedTask } from '@/lib/queue/claim';
import type { SweepOptions } from '@/lib/queue/sweep';
import { createJobRunner, createTraceSource, type Runtime } from '@/lib/runtime';
import { priceUsages } from '@/lib/usage/price';
import type { Bell } from './bell';
import { dispatchAttempt } from './dispatch';
import type { DispatchLoopDeps } from './dispatch-loop';
import { createInspectPool, type InspectPool } from './inspect-pool';
import { createInspector, type Inspector } from './inspector';
import type { KeeperDeps } from './keeper';
import type { WorkerMetrics } from './metrics';

/** Scripts that a worker starts as processes. */
export interface WorkerScripts {
  readonly host: string;
  readonly agent: string;
  readonly program: string;
  readonly inspect: string;
}

/** What the loops of a worker work with. */
export interface Duties {
  readonly pool: InspectPool;
  readonly inspector: Inspector;
  readonly watching: KeeperDeps;
  readonly dispatching: DispatchLoopDeps;
  readonly sweeping: SweepOptions;
  readonly traces: TraceSource;
}

/** What one run may use. */
const RUN_MEMORY_MB = 1_536;
const INSPECT_SECONDS = 10;
const INSPECT_MEMORY_MB = 512;
/** Beyond its own time limit: waiting for a child, and for the database. */
const INSPECT_HOLD_SECONDS = 3 * INSPECT_SECONDS;

export interface Surroundings {
  readonly runtime: Runtime;
  readonly scripts: WorkerScripts;
  /** Agents of other authors, which run as programs. */
  readonly programs: readonly ProgramAgent[];
  /** Puts something around the platform's runner. */
  readonly wrapRunner?: (runner: JobRunner) => JobRunner;
  readonly workerId: string;
  readonly environmentId: string;
  readonly draining: AbortSignal;
  readonly mayDispatch: () => boolean;
  readonly metrics: WorkerMetrics;
  readonly bells: { readonly dispatch: Bell; readonly inspect: Bell };
  readonly log: Logger;
}

/** Puts a worker's parts together. Throws `ConfigError` where a setting is missing. */
export function composeDuties(around: Surroundings): Duties {
  const { runtime, log } = around;
  const { db, documents: store, config } = runtime;
  const { leaseSeconds } = config;
  const platform = createJobRunner(config, around.scripts, around);
  const runner = around.wrapRunner?.(platform) ?? platform;
  const receiving = { db, store, webhookSecret: runtime.secrets.webhookSecret, log };
  const watching: KeeperDeps = {
    db,
    runner,
    workerId: around.workerId,
    leaseSeconds,
    log,
    metrics: around.metrics,
    hooks: { priceUsages },
    readOutbox: (attemptId) => readOutbox(receiving, attemptId),
  };
  const dispatching: DispatchLoopDeps = {
    db,
    store,
    runner,
    workerId: around.workerId,
    environmentId: around.environmentId,
    settings: runSettings(runtime, around.programs),
    log,
    draining: around.draining,
    mayDispatch: around.mayDispatch,
    metrics: around.metrics,
    leaseSeconds,
  };
  const sweeping: SweepOptions = {
    ...watching,
    redispatch: (task: ClaimedTask) => dispatchAttempt(dispatching, task),
    onError: (err, about) => log.error({ ...about, err }, 'sweep.failed'),
  };
  return {
    watching,
    dispatching,
    sweeping,
    traces: createTraceSource(config, log),
    ...composeInspector(around),
  };
}

function composeInspector(around: Surroundings): Pick<Duties, 'pool' | 'inspector'> {
  const { runtime, scripts, bells, log } = around;
  // One core is left to the rest of the machine's work.
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
    db: runtime.db,
    workerId: around.workerId,
    store: runtime.documents,
    pool,
    atOnce,
    holdSeconds: INSPECT_HOLD_SECONDS,
    maxPages: runtime.config.maxPages,
    log,
    onRoom: bells.inspect.ring,
    onClaimable: bells.dispatch.ring,
  });
  return { pool, inspector };
}

/** Without a key, a model of this workspace is asked with the run's own token. */
function asksAsItself({ databricks, model }: Config): boolean {
  return Boolean(databricks && model && !model.apiKey && model.baseUrl.startsWith(`${databricks.host}/`));
}

function runSettings({ config, secrets }: Runtime, programs: readonly ProgramAgent[]): RunSettings {
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
      vision: config.model.vision,
      auth: asksAsItself(config) ? 'run' : 'key',
    },
    tracing: traceTarget(config),
    maxMemoryMb: RUN_MEMORY_MB,
    maxPages: config.maxPages,
    programAgents: new Set(programs.map(({ id }) => id)),
  };
}
