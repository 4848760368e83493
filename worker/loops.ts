import type { Logger } from '@/lib/log';
import { workBulk } from '@/lib/queue/bulk';
import { type SweepReport, succeedOnce, sweepOnce } from '@/lib/queue/sweep';
import { beat, type WorkerProcess } from '@/lib/queue/worker-heartbeat';
import type { Runtime } from '@/lib/runtime';
import { type Bell, createBell } from './bell';
import type { Duties } from './compose-duties';
import { dispatchOnce } from './dispatch-loop';
import { createEnricher } from './enricher';
import { houseKeepOnce } from './housekeeper';
import { keepOnce } from './keeper';
import { type Pace, runLoop } from './loop';
import type { WorkerMetrics } from './metrics';
import { createReconciler } from './reconciler';
import { createRollUp } from './roll-up';
import { createRunFileKeeper } from './run-files';
import { advanceOnce, calibrateOnce, tuneOnce } from './tuner';

const POLL_MS = 1_000;
const HEARTBEAT_MS = 3_000;
/** Runs of this machine are cheap to ask about, and one that is gone should not keep its task waiting. */
const KEEP_MS = 1_500;
/** Metrics go with every n-th heartbeat: they are much wider. */
const METRICS_EVERY = 5;
/** How soon a worker whose session has vanished is noticed. */
const SUCCESSION_MS = 400;
/** Limits that were lowered go up in steps of a quarter minute. */
const TUNE_MS = 5_000;
/** At a thousand tasks a second so much piles up that a claim takes a few milliseconds longer. */
const ADVANCE_MS = 2_000;
const CALIBRATE_MS = 30_000;
/** Until then readers take what has changed from its rows. */
const ROLL_UP_MS = 1_000;
const RECONCILE_MS = 5_000;
/** Each outbox is a call to the workspace there, and the end of a run is noticed by the keeper anyway. */
const RECONCILE_REMOTE_MS = 15_000;
/** Cost is seen seconds after each model call, also of runs in flight. */
const ENRICH_MS = 1_000;
const RUN_FILES_MS = 60_000;
const HOUSEKEEPING_MS = 600_000;

export interface LoopsAround {
  readonly runtime: Runtime;
  readonly self: WorkerProcess;
  readonly duties: Duties;
  readonly metrics: WorkerMetrics;
  readonly bells: { readonly dispatch: Bell; readonly inspect: Bell; readonly keeper: Bell };
  /** Aborted when the worker drains. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Starts the loops of a worker; each promise resolves once its loop has ended. */
export function startLoops(around: LoopsAround): Promise<void>[] {
  const { runtime, duties, metrics, bells, signal, log } = around;
  const { db, config, documents: store } = runtime;
  const loop = (name: string, tick: () => Promise<Pace>, intervalMs: number, bell: Bell = createBell()) =>
    runLoop(name, atHome(around, tick), {
      intervalMs,
      signal,
      log,
      bell,
      onRun: (took) => metrics.loopRan(name, took),
    });
  return [
    loop('inspect', duties.inspector.tick, POLL_MS, bells.inspect),
    loop('dispatch', () => dispatchOnce(duties.dispatching), POLL_MS, bells.dispatch),
    loop('keeper', () => keepOnce(duties.watching), KEEP_MS, bells.keeper),
    loop('sweeper', () => sweep(around), config.sweepIntervalSeconds * 1000),
    loop('successor', () => succeed(around), SUCCESSION_MS),
    loop('tuner', () => tuneOnce(db, log), TUNE_MS),
    loop('cursors', () => advanceOnce(db, log), ADVANCE_MS),
    loop('calibrator', () => calibrateOnce(db, log), CALIBRATE_MS),
    loop('bulk', () => bulk(around), POLL_MS),
    loop(
      'reconciler',
      createReconciler(duties.watching),
      config.databricks ? RECONCILE_REMOTE_MS : RECONCILE_MS,
    ),
    loop('run files', createRunFileKeeper({ db, store, log }), RUN_FILES_MS),
    ...(duties.traces.name === 'none'
      ? []
      : [loop('enricher', createEnricher({ db, source: duties.traces, log, metrics }), ENRICH_MS)]),
    loop('roll-up', createRollUp({ db, log }), ROLL_UP_MS),
    loop('housekeeping', () => houseKeepOnce(db, log, config.housekeepingDays), HOUSEKEEPING_MS),
    loop('heartbeat', createHeartbeat(around), HEARTBEAT_MS),
  ];
}

/** Nothing is done in a database that has become a copy under us, as a branch that is reset does: we begin anew. */
function atHome({ runtime, log }: LoopsAround, tick: () => Promise<Pace>): () => Promise<Pace> {
  return async () => {
    if (await runtime.home.isHere()) return tick();
    log.fatal('database.is_a_copy');
    process.exit(1);
  };
}

async function bulk({ runtime }: LoopsAround): Promise<Pace> {
  return (await workBulk(runtime.db)) === 'worked' ? 'again' : 'idle';
}

async function sweep(around: LoopsAround): Promise<Pace> {
  tell(around, await sweepOnce(around.runtime.db, around.duties.sweeping), 'sweep');
  return 'idle';
}

async function succeed(around: LoopsAround): Promise<Pace> {
  const { report } = await succeedOnce(around.runtime.db, around.duties.sweeping, (lost) => {
    around.log.warn({ lost }, 'worker.lost');
    // Its runs are looked at now, not at the next turn.
    around.bells.keeper.ring();
  });
  tell(around, report, 'worker.succeeded');
  return 'idle';
}

function tell({ metrics, log }: LoopsAround, report: SweepReport, event: string): void {
  const done = Object.entries(report).filter(([, count]) => count > 0);
  for (const [how, count] of done) metrics.recovered.inc({ how }, count);
  if (done.length > 0) log.info(Object.fromEntries(done), event);
}

function createHeartbeat({ runtime, self, metrics }: LoopsAround): () => Promise<Pace> {
  let beats = 0;
  return async () => {
    const wide = beats++ % METRICS_EVERY === 0 ? { metrics: await metrics.json() } : {};
    await beat(runtime.db, self, { loops: metrics.loops(), ...wide });
    return 'idle';
  };
}
