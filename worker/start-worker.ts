import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '@/lib/config/schema';
import type { Logger } from '@/lib/log';
import { readSettings } from '@/lib/queue/settings';
import { type SweepReport, succeedOnce, sweepOnce } from '@/lib/queue/sweep';
import { beat, leave, type WorkerProcess } from '@/lib/queue/worker-heartbeat';
import { createRuntime, type Runtime } from '@/lib/runtime';
import packageJson from '@/package.json' with { type: 'json' };
import { type Bell, createBell } from './bell';
import { composeDuties, type Duties, type WorkerScripts } from './compose-duties';
import { dispatchOnce } from './dispatch-loop';
import { keepOnce } from './keeper';
import { type LoopOptions, type Pace, runLoop } from './loop';
import { createWorkerMetrics, type WorkerMetrics } from './metrics';
import { openWorkerSession, type WorkerSession } from './session';
import { stopRuns } from './stop-runs';

export interface Worker {
  readonly id: string;
  /** Stops claiming, gives back what is not dispatched, and leaves. Runs go on unless `stopRuns`. Idempotent. */
  stop(how: { readonly stopRuns: boolean }): Promise<void>;
}

const POLL_MS = 1_000;
const HEARTBEAT_MS = 3_000;
/** Metrics go with every n-th heartbeat: they are much wider. */
const METRICS_EVERY = 5;
/** How soon a worker whose session has vanished is noticed. */
const SUCCESSION_MS = 400;
/** Runs of this machine are cheap to ask about, and one that is gone should not keep its task waiting. */
const KEEP_MS = 1_500;
/** The supervisor gives a worker 6.5 s in all: for loops under way, then for runs. */
const SETTLE_LOOPS_MS = 2_000;
const STOP_RUNS_MS = 3_500;

/** Composes a worker and starts its loops. Throws `ConfigError` where a setting is missing. */
export async function startWorker(config: Config, scripts: WorkerScripts, log: Logger): Promise<Worker> {
  const runtime = await createRuntime(config, { name: 'tickmark worker', log });
  const { db } = runtime;
  const { environmentId } = await readSettings(db);
  const self = identify();
  const draining = new AbortController();
  const bells = { dispatch: createBell(), inspect: createBell() };
  const metrics = createWorkerMetrics();
  const session = openWorkerSession({
    databaseUrl: config.databaseUrl ?? '',
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
  return { id, host, pid: process.pid, version: packageJson.version };
}

function startLoops(around: {
  runtime: Runtime;
  self: WorkerProcess;
  duties: Duties;
  metrics: WorkerMetrics;
  bells: { dispatch: Bell; inspect: Bell };
  signal: AbortSignal;
  log: Logger;
}): Promise<void>[] {
  const { runtime, self, duties, metrics, bells, signal, log } = around;
  const { db, config } = runtime;
  const loop = (name: string, tick: () => Promise<Pace>, intervalMs: number, bell: Bell = createBell()) => {
    const onRun: LoopOptions['onRun'] = (took) => metrics.loopRan(name, took);
    return runLoop(name, tick, { intervalMs, signal, log, bell, onRun });
  };
  const told = (report: SweepReport, event: string, also: object = {}) => {
    const done = Object.entries(report).filter(([, count]) => count > 0);
    for (const [how, count] of done) metrics.recovered.inc({ how }, count);
    if (done.length > 0) log.info({ ...also, ...Object.fromEntries(done) }, event);
  };
  const sweep = async (): Promise<Pace> => {
    told(await sweepOnce(db, duties.sweeping), 'sweep');
    return 'idle';
  };
  const succeed = async (): Promise<Pace> => {
    const { lost, report } = await succeedOnce(db, duties.sweeping);
    if (lost.length > 0) log.warn({ lost }, 'worker.lost');
    told(report, 'worker.succeeded', { lost });
    return 'idle';
  };
  let beats = 0;
  const sign = async (): Promise<Pace> => {
    const wide = beats++ % METRICS_EVERY === 0 ? { metrics: await metrics.json() } : {};
    await beat(db, self, { loops: metrics.loops(), ...wide });
    return 'idle';
  };
  return [
    loop('inspect', duties.inspector.tick, POLL_MS, bells.inspect),
    loop('dispatch', () => dispatchOnce(duties.dispatching), POLL_MS, bells.dispatch),
    loop('keeper', () => keepOnce(duties.watching), KEEP_MS),
    loop('sweeper', sweep, config.sweepIntervalSeconds * 1000),
    loop('successor', succeed, SUCCESSION_MS),
    loop('heartbeat', sign, HEARTBEAT_MS),
  ];
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
    await stopRuns({ ...duties.watching, workerId: self.id }, STOP_RUNS_MS);
  }
  await settled;
  // Until here: a session that vanishes makes others take over what is still being dispatched.
  await session.close();
  await leave(runtime.db, self.id);
  await runtime.db.$client.end();
}
