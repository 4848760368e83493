import { existsSync } from 'node:fs';
import { config } from '@/lib/config/config';
import { createLogger } from '@/lib/log';
import type { JobRunner } from '@/lib/platform/job-runner/port';
import type { WorkerScripts } from '@/worker/compose-duties';
import { runWorkerProcess } from '@/worker/worker-process';

/** What a drill tells its workers. */
export interface DrillWorkerOrder {
  readonly scripts: WorkerScripts;
  /** While this file is there, the runner is out of reach. */
  readonly outageFile: string;
}

/** The runner, which nobody reaches while `isOut`. What runs goes on. */
function reachable(runner: JobRunner, isOut: () => boolean): JobRunner {
  const guard = () => {
    if (isOut()) throw new Error('the runner does not answer');
  };
  return {
    async submit(request) {
      guard();
      return runner.submit(request);
    },
    async status(runIds) {
      guard();
      return runner.status(runIds);
    },
    async cancel(runId) {
      guard();
      return runner.cancel(runId);
    },
    async listAlive() {
      guard();
      return runner.listAlive();
    },
    async freeSlots() {
      guard();
      return runner.freeSlots();
    },
  };
}

// The worker as it is; only its runner can be taken away.
const order = JSON.parse(process.argv[2] ?? '{}') as DrillWorkerOrder;
const settings = config();
runWorkerProcess(settings, order.scripts, createLogger('worker', settings.logLevel), (runner) =>
  reachable(runner, () => existsSync(order.outageFile)),
);
