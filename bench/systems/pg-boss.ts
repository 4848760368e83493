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

export interface PgBossOptions {
  readonly batchSize: number;
  /** Fetchers in one process. */
  readonly localConcurrency?: number;
  /** Wakes by LISTEN instead of polling. */
  readonly listen?: boolean;
  /** Its documented defaults instead of the fastest settings: polling every 2 s. */
  readonly defaults?: boolean;
}

const QUEUE = 'nothing';
/** Higher runs first. */
const PRIORITY = { low: 0, high: 10 };

/** pg-boss: PostgreSQL, rows and outputs are kept. */
export function pgBoss(options: PgBossOptions): System {
  return {
    contents: 'empty',
    needsRedis: false,
    async prepare({ databaseUrl }) {
      const boss = await openBoss(databaseUrl, { max: 4 });
      await boss.createQueue(QUEUE, options.listen ? { notify: true } : {});
      await boss.stop({ graceful: false });
    },
    openProducer,
    openConsumer: (place, handle) => openConsumer(place, options, handle),
  };
}

async function openBoss(databaseUrl: string, options: object) {
  const { PgBoss } = await loadPeer('pg-boss');
  const boss = new PgBoss({ connectionString: databaseUrl, ...options });
  boss.on('error', () => {});
  await boss.start();
  return boss;
}

async function openProducer({ databaseUrl }: Place): Promise<Producer> {
  const boss = await openBoss(databaseUrl, { max: 4, supervise: false, schedule: false });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  pool.on('error', () => {});
  return {
    enqueueMany: (count) =>
      inBatches(count, (payloads) =>
        boss.insert(
          QUEUE,
          payloads.map((data) => ({ data, priority: PRIORITY.low })),
        ),
      ),
    async enqueueOne(payload, priority) {
      await boss.send(QUEUE, payload, { priority: PRIORITY[priority] });
    },
    async countOpen() {
      const { rows } = await pool.query<{ open: number }>(
        `select count(*)::integer as open from pgboss.job where name = $1 and state < 'completed'`,
        [QUEUE],
      );
      return rows[0]?.open ?? 0;
    },
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}

async function openConsumer(
  { databaseUrl }: Place,
  options: PgBossOptions,
  handle: Handle,
): Promise<Consumer> {
  const { batchSize, localConcurrency = 1, listen = false, defaults = false } = options;
  const boss = await openBoss(databaseUrl, { max: 10, ...(listen ? { useListenNotify: true } : {}) });
  const pace = defaults ? {} : { burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 };
  return {
    async start() {
      await boss.work<TaskPayload>(QUEUE, { batchSize, localConcurrency, ...pace }, async (jobs) => {
        await Promise.all(jobs.map(({ data }) => handle(data)));
      });
    },
    stop: () => boss.stop({ graceful: false }),
  };
}
