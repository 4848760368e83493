import pg from 'pg';
import { loadPeer } from '../peers';
import type { Consumer, Handle, Place, Producer, System, TaskPayload } from './system';

export interface DbosOptions {
  /** How often its queue looks; left out: once a second, which is the default. */
  readonly pollMs?: number;
  /** Workflows at once in one process. */
  readonly workerConcurrency?: number;
}

const QUEUE = 'nothing';
const WORKFLOW = 'nothing';
const VERSION = 'bench';
/** Lower runs first. */
const PRIORITY = { low: 10, high: 1 };
const POOL = 20;
/** It has no call that enqueues many, so as many single ones go at once. */
const AT_ONCE = 10;

const silent = { info() {}, debug() {}, warn() {}, error() {} };

/** DBOS: a workflow engine in PostgreSQL; its queues, with a workflow of no steps. */
export function dbos(options: DbosOptions): System {
  const { pollMs, workerConcurrency } = options;
  return {
    contents: 'empty',
    needsRedis: false,
    async prepare(place) {
      const { DBOS } = await loadPeer('@dbos-inc/dbos-sdk');
      await configure(place, 'bench-prepare', async () => {});
      await DBOS.launch();
      await DBOS.registerQueue(QUEUE, {
        ...(pollMs ? { minPollingIntervalMs: pollMs } : {}),
        ...(workerConcurrency ? { workerConcurrency } : {}),
      });
      await DBOS.shutdown({ deregister: true });
    },
    openProducer,
    async openConsumer(place, handle): Promise<Consumer> {
      const { DBOS } = await loadPeer('@dbos-inc/dbos-sdk');
      await configure(place, `bench-${process.pid}`, async (payload) => handle(payload));
      return { start: () => DBOS.launch(), stop: () => DBOS.shutdown() };
    },
  };
}

async function configure(
  { databaseUrl }: Place,
  executorID: string,
  work: (payload: TaskPayload) => Promise<ReturnType<Handle>>,
): Promise<void> {
  const { DBOS } = await loadPeer('@dbos-inc/dbos-sdk');
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: databaseUrl,
    systemDatabasePoolSize: POOL,
    logger: silent,
    applicationVersion: VERSION,
    executorID,
  });
  DBOS.registerWorkflow(work, { name: WORKFLOW });
}

async function openProducer({ databaseUrl }: Place): Promise<Producer> {
  const { DBOSClient } = await loadPeer('@dbos-inc/dbos-sdk');
  const client = await DBOSClient.create({
    systemDatabaseUrl: databaseUrl,
    systemDatabasePoolSize: AT_ONCE,
    applicationName: 'bench',
    logger: silent,
  });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  pool.on('error', () => {});
  const enqueueOne = async (payload: TaskPayload, priority: 'low' | 'high') => {
    const place = { queueName: QUEUE, workflowName: WORKFLOW, appVersion: VERSION };
    await client.enqueue({ ...place, priority: PRIORITY[priority] }, payload);
  };
  return {
    async enqueueMany(count) {
      let next = 0;
      const lane = async () => {
        while (next < count) await enqueueOne({ kind: 'nothing', n: next++ }, 'low');
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
    },
    enqueueOne,
    async countOpen() {
      const { rows } = await pool.query<{ open: number }>(
        `select count(*)::integer as open from dbos.workflow_status where status in ('ENQUEUED', 'PENDING')`,
      );
      return rows[0]?.open ?? 0;
    },
    async close() {
      await client.destroy();
      await pool.end();
    },
  };
}
