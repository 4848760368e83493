import { loadPeer } from '../peers';
import { type Consumer, type Handle, inBatches, type Place, type Producer, type System } from './system';

export interface BullMqOptions {
  /** Handlers at once in one process. */
  readonly concurrency: number;
  /** Without priorities its queue is a plain list, which is faster. */
  readonly priorities?: boolean;
}

type Backend = 'redis' | 'postgres';

const QUEUE = 'nothing';
/** Lower runs first. */
const PRIORITY = { low: 10, high: 1 };
const CONNECTIONS = 10;

/** BullMQ on Redis, which keeps its file once a second. */
export const bullMqOnRedis = (options: BullMqOptions): System => bullMq('redis', options);

/** BullMQ on its own backend for PostgreSQL. */
export const bullMqOnPostgres = (options: BullMqOptions): System => bullMq('postgres', options);

function bullMq(backend: Backend, options: BullMqOptions): System {
  return {
    contents: 'empty',
    needsRedis: backend === 'redis',
    async prepare(place) {
      if (backend === 'redis') await flush(place);
      const queue = await openQueue(backend, place);
      await queue.close();
    },
    openProducer: (place) => openProducer(backend, place, options),
    openConsumer: (place, handle) => openConsumer(backend, place, options, handle),
  };
}

function redisConnection({ redisPort }: Place) {
  if (redisPort === null) throw new Error('redis-server is not on the PATH');
  return { host: '127.0.0.1', port: redisPort, maxRetriesPerRequest: null };
}

const postgresConnection = ({ databaseUrl }: Place, max: number) => ({
  connectionString: databaseUrl,
  max,
  migrate: true,
});

async function flush(place: Place): Promise<void> {
  const { Redis } = await loadPeer('ioredis');
  const redis = new Redis(redisConnection(place));
  await redis.flushall();
  await redis.quit();
}

async function openQueue(backend: Backend, place: Place) {
  const { Queue, createPostgresBackend } = await loadPeer('bullmq');
  const queue =
    backend === 'redis'
      ? new Queue(QUEUE, { connection: redisConnection(place) })
      : new Queue(QUEUE, { connection: postgresConnection(place, 4) }, createPostgresBackend);
  queue.on('error', () => {});
  await queue.waitUntilReady();
  return queue;
}

async function openProducer(backend: Backend, place: Place, options: BullMqOptions): Promise<Producer> {
  const queue = await openQueue(backend, place);
  const opts = (priority: 'low' | 'high') => (options.priorities ? { priority: PRIORITY[priority] } : {});
  return {
    enqueueMany: (count) =>
      inBatches(count, (payloads) =>
        queue.addBulk(payloads.map((data) => ({ name: QUEUE, data, opts: opts('low') }))),
      ),
    async enqueueOne(payload, priority) {
      await queue.add(QUEUE, payload, opts(priority));
    },
    async countOpen() {
      const counts = await queue.getJobCounts('waiting', 'active', 'prioritized');
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    close: () => queue.close(),
  };
}

async function openConsumer(
  backend: Backend,
  place: Place,
  { concurrency }: BullMqOptions,
  handle: Handle,
): Promise<Consumer> {
  const { Worker, createPostgresBackend } = await loadPeer('bullmq');
  const work = async ({ data }: { data: Parameters<Handle>[0] }) => {
    await handle(data);
  };
  let close = async () => {};
  return {
    async start() {
      const worker =
        backend === 'redis'
          ? new Worker(QUEUE, work, { connection: redisConnection(place), concurrency })
          : new Worker(
              QUEUE,
              work,
              { connection: postgresConnection(place, CONNECTIONS), concurrency },
              createPostgresBackend,
            );
      worker.on('error', () => {});
      await worker.waitUntilReady();
      close = () => worker.close(true);
    },
    stop: () => close(),
  };
}
