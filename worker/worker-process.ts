import { z } from 'zod';
import { type Config, ConfigError } from '@/lib/config/schema';
import type { Logger } from '@/lib/log';
import type { JobRunner } from '@/lib/platform/job-runner/port';
import type { WorkerScripts } from './compose-duties';
import { startWorker } from './start-worker';

/** What the supervisor may tell a worker. */
const Order = z.object({ type: z.literal('shutdown'), stopRuns: z.boolean() });

/** What a drain may take before the process ends anyway: whatever is left is found by its lease. */
const DRAIN_MS = 4_500;
const DRAIN_AND_STOP_RUNS_MS = 6_200;

/**
 * A worker as a process: drains on SIGTERM and Ctrl-C, on its supervisor's order, and when its supervisor is gone, so
 * that it never stays behind as an orphan.
 * @param wrapRunner puts something around the platform's runner
 */
export function runWorkerProcess(
  config: Config,
  scripts: WorkerScripts,
  log: Logger,
  wrapRunner?: (runner: JobRunner) => JobRunner,
): void {
  let hasStarted = false;
  const markStarted = () => {
    hasStarted = true;
  };
  const started = startWorker(config, scripts, log, wrapRunner);
  started.then(markStarted, (err: unknown) => {
    if (err instanceof ConfigError) log.fatal(err.message);
    else log.fatal({ err }, 'worker.not_started');
    process.exit(1);
  });
  let stopping = false;
  const stop = (why: string, stopRuns: boolean) => {
    if (stopping) return;
    stopping = true;
    log.info({ why, stopRuns }, 'worker.draining');
    // Still waiting for the database: nothing was claimed yet.
    if (!hasStarted && !stopRuns) process.exit(0);
    setTimeout(
      () => {
        log.warn('worker.drain_cut_short');
        process.exit(0);
      },
      stopRuns ? DRAIN_AND_STOP_RUNS_MS : DRAIN_MS,
    );
    started
      .then((worker) => worker.stop({ stopRuns }))
      .then(
        () => process.exit(0),
        (err) => {
          log.error({ err }, 'worker.stop_failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', () => stop('SIGTERM', false));
  process.on('SIGINT', () => stop('SIGINT', false));
  process.on('message', (message) => {
    const order = Order.safeParse(message);
    // Runs of Lakeflow live outside this machine and go on without it.
    if (order.success) stop('ordered', order.data.stopRuns && config.platform === 'embedded');
  });
  process.on('disconnect', () => stop('supervisor gone', false));
}
