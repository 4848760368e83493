import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '@/lib/config/schema';
import { type Listener, listen } from '@/lib/db/listen';
import type { Logger } from '@/lib/log';
import { readSettings } from '@/lib/queue/settings';
import { sweepOnce } from '@/lib/queue/sweep';
import { beat, leave, type WorkerProcess } from '@/lib/queue/worker-heartbeat';
import { createRuntime, type Runtime } from '@/lib/runtime';
import packageJson from '@/package.json' with { type: 'json' };
import { type Bell, createBell } from './bell';
import { composeDuties, type Duties, type WorkerScripts } from './compose-duties';
import { dispatchOnce } from './dispatch-loop';
import { keepOnce } from './keeper';
import { type Pace, runLoop } from './loop';
import { stopRuns } from './stop-runs';

export interface Worker {
  readonly id: string;
  /** Stops claiming, gives back what is not dispatched, and leaves. Runs go on unless `stopRuns`. Idempotent. */
  stop(how: { readonly stopRuns: boolean }): Promise<void>;
}

const POLL_MS = 1_000;
const HEARTBEAT_MS = 3_000;
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
  const duties = composeDuties({
    runtime,
    scripts,
    workerId: self.id,
    environmentId,
    draining: draining.signal,
    bells,
    log,
  });
  await beat(db, self);
  const listener = listen({
    databaseUrl: config.databaseUrl ?? '',
    applicationName: 'tickmark worker listener',
    onPing() {
      bells.dispatch.ring();
      bells.inspect.ring();
    },
  });
  const loops = startLoops({ runtime, self, duties, bells, signal: draining.signal, log });
  log.info({ workerId: self.id, version: self.version }, 'worker.started');

  let stopping: Promise<void> | undefined;
  return {
    id: self.id,
    stop(how) {
      draining.abort();
      stopping ??= leaveInOrder({ runtime, self, duties, listener, loops }, how);
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
  bells: { dispatch: Bell; inspect: Bell };
  signal: AbortSignal;
  log: Logger;
}): Promise<void>[] {
  const { runtime, self, duties, bells, signal, log } = around;
  const { db, config } = runtime;
  const loop = (name: string, tick: () => Promise<Pace>, intervalMs: number, bell: Bell = createBell()) =>
    runLoop(name, tick, { intervalMs, signal, log, bell });
  const sweep = async (): Promise<Pace> => {
    const report = await sweepOnce(db, duties.sweeping);
    if (Object.values(report).some((count) => count > 0)) log.info(report, 'sweep');
    return 'idle';
  };
  return [
    loop('inspect', duties.inspector.tick, POLL_MS, bells.inspect),
    loop('dispatch', () => dispatchOnce(duties.dispatching), POLL_MS, bells.dispatch),
    loop('keeper', () => keepOnce(duties.watching), KEEP_MS),
    loop('sweeper', sweep, config.sweepIntervalSeconds * 1000),
    loop('heartbeat', () => beat(db, self).then(() => 'idle' as const), HEARTBEAT_MS),
  ];
}

async function leaveInOrder(
  around: {
    runtime: Runtime;
    self: WorkerProcess;
    duties: Duties;
    listener: Listener;
    loops: Promise<void>[];
  },
  how: { readonly stopRuns: boolean },
): Promise<void> {
  const { runtime, self, duties, listener, loops } = around;
  duties.pool.close();
  await listener.close();
  const settled = Promise.all([...loops, duties.inspector.settled()]);
  if (how.stopRuns) {
    const late = new AbortController();
    await Promise.race([settled, delay(SETTLE_LOOPS_MS, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
    await stopRuns({ ...duties.watching, workerId: self.id }, STOP_RUNS_MS);
  }
  await settled;
  await leave(runtime.db, self.id);
  await runtime.db.$client.end();
}
