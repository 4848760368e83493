import pg from 'pg';
import { loadPeer } from '../peers';
import {
  type Consumer,
  type Handle,
  inBatches,
  type Place,
  type Producer,
  type System,
  type TaskPayload,
} from './system';

export interface GraphileWorkerOptions {
  /** Handlers at once in one process. */
  readonly concurrency: number;
  /** Tasks that a process fetches at once; left out: one by one, which is the default. */
  readonly localQueue?: number;
}

const TASK = 'nothing';
/** Lower runs first. */
const PRIORITY = { low: 10, high: -10 };
const CONNECTIONS = 25;

/** graphile-worker: PostgreSQL, one row per task, deleted when it is done. */
export function graphileWorker(options: GraphileWorkerOptions): System {
  return {
    contents: 'empty',
    needsRedis: false,
    async prepare({ databaseUrl }) {
      const { runMigrations } = await loadPeer('graphile-worker');
      await runMigrations({ connectionString: databaseUrl, logger: await silentLogger() });
    },
    openProducer,
    openConsumer: (place, handle) => openConsumer(place, options, handle),
  };
}

async function silentLogger() {
  const { Logger } = await loadPeer('graphile-worker');
  return new Logger(() => () => {});
}

async function openProducer({ databaseUrl }: Place): Promise<Producer> {
  const { makeWorkerUtils } = await loadPeer('graphile-worker');
  const pgPool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  pgPool.on('error', () => {});
  pgPool.on('connect', (client) => client.on('error', () => {}));
  const utils = await makeWorkerUtils({ pgPool, logger: await silentLogger() });
  return {
    enqueueMany: (count) =>
      inBatches(count, (payloads) =>
        utils.addJobs(payloads.map((payload) => ({ identifier: TASK, payload, priority: PRIORITY.low }))),
      ),
    async enqueueOne(payload, priority) {
      await utils.addJob(TASK, payload, { priority: PRIORITY[priority] });
    },
    async countOpen() {
      const { rows } = await pgPool.query<{ open: number }>(
        'select count(*)::integer as open from graphile_worker._private_jobs',
      );
      return rows[0]?.open ?? 0;
    },
    async close() {
      await utils.release();
      await pgPool.end();
    },
  };
}

async function openConsumer(
  { databaseUrl }: Place,
  { concurrency, localQueue }: GraphileWorkerOptions,
  handle: Handle,
): Promise<Consumer> {
  const { run } = await loadPeer('graphile-worker');
  const logger = await silentLogger();
  let stop = async () => {};
  return {
    async start() {
      const runner = await run({
        noHandleSignals: true,
        parsedCronItems: [],
        taskList: { [TASK]: async (payload) => handle(payload as TaskPayload) },
        preset: {
          worker: {
            connectionString: databaseUrl,
            logger,
            concurrentJobs: concurrency,
            maxPoolSize: Math.min(CONNECTIONS, concurrency + 2),
            // Completions of one turn of the event loop go together, as its documentation advises for throughput.
            ...(localQueue
              ? { localQueue: { size: localQueue }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }
              : {}),
          },
        },
      });
      stop = () => runner.stop();
    },
    stop: () => stop(),
  };
}
