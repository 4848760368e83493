import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { readAgentsFile } from '@/lib/config/agents-file';
import { type Config, ConfigError } from '@/lib/config/schema';
import { SCHEMA_VERSION } from '@/lib/db/schema-version';
import { registerAgents } from '@/lib/documents/register-agents';
import type { Logger } from '@/lib/log';
import type { JobRunner } from '@/lib/platform/job-runner/port';
import { readSettings } from '@/lib/queue/settings';
import { leave, type WorkerProcess } from '@/lib/queue/worker-heartbeat';
import { createRuntime, type Runtime } from '@/lib/runtime';
import packageJson from '@/package.json' with { type: 'json' };
import { waitToBeAtHome } from './at-home';
import { createBell } from './bell';
import { composeDuties, type Duties, type WorkerScripts } from './compose-duties';
import { startLoops } from './loops';
import { createWorkerMetrics } from './metrics';
import { openWorkerSession, type WorkerSession } from './session';
import { stopRuns } from './stop-runs';

export interface Worker {
  readonly id: string;
  /** Stops claiming, gives back what is not dispatched, and leaves. Runs go on unless `stopRuns`. Idempotent. */
  stop(how: { readonly stopRuns: boolean }): Promise<void>;
}

/** The supervisor gives a worker 6.5 s in all: for loops under way, then for runs. */
const SETTLE_LOOPS_MS = 2_000;
const STOP_RUNS_MS = 3_500;

/**
 * Composes a worker and starts its loops. Throws `ConfigError` where a setting is missing.
 * @param wrapRunner puts something around the platform's runner
 */
export async function startWorker(
  config: Config,
  scripts: WorkerScripts,
  log: Logger,
  wrapRunner?: (runner: JobRunner) => JobRunner,
): Promise<Worker> {
  const programs = config.agentsFile ? readAgentsFile(config.agentsFile) : [];
  const runtime = await createRuntime(config, { name: 'tickmark worker', log });
  const { db } = runtime;
  const self = identify();
  await waitToBeAtHome(runtime, self, log);
  const taken = await registerAgents(db, programs);
  if (taken.length > 0) {
    throw new ConfigError(`TICKMARK_AGENTS_FILE: ${taken.join(', ')}: Tickmark's own; choose other ids`);
  }
  const { environmentId } = await readSettings(db);
  const draining = new AbortController();
  const bells = { dispatch: createBell(), inspect: createBell(), keeper: createBell() };
  const metrics = createWorkerMetrics();
  const session = openWorkerSession({
    database: runtime.credentials,
    self,
    log,
    onPing() {
      bells.dispatch.ring();
      bells.inspect.ring();
    },
  });
  const duties = composeDuties({
    runtime,
    scripts,
    programs,
    wrapRunner,
    workerId: self.id,
    environmentId,
    draining: draining.signal,
    mayDispatch: session.mayDispatch,
    metrics,
    bells,
    log,
  });
  const loops = startLoops({ runtime, self, duties, metrics, bells, signal: draining.signal, log });
  log.info({ workerId: self.id, version: self.version }, 'worker.started');

  let stopping: Promise<void> | undefined;
  return {
    id: self.id,
    stop(how) {
      draining.abort();
      stopping ??= leaveInOrder({ runtime, self, duties, session, loops }, how);
      return stopping;
    },
  };
}

function identify(): WorkerProcess {
  const host = os.hostname();
  const id = `${host}-${process.pid}-${randomBytes(3).toString('hex')}`;
  return { id, host, pid: process.pid, version: packageJson.version, schemaVersion: SCHEMA_VERSION };
}

async function leaveInOrder(
  around: {
    runtime: Runtime;
    self: WorkerProcess;
    duties: Duties;
    session: WorkerSession;
    loops: Promise<void>[];
  },
  how: { readonly stopRuns: boolean },
): Promise<void> {
  const { runtime, self, duties, session, loops } = around;
  duties.pool.close();
  const settled = Promise.all([...loops, duties.inspector.settled()]);
  if (how.stopRuns) {
    const late = new AbortController();
    await Promise.race([settled, delay(SETTLE_LOOPS_MS, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
    await stopRuns(duties.watching, STOP_RUNS_MS);
  }
  await settled;
  // Until here: a session that vanishes makes others take over what is still being dispatched.
  await session.close();
  await leave(runtime.db, self.id);
  await runtime.db.$client.end();
}
