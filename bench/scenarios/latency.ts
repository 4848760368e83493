import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Row, Run } from '../bench';
import type { Part } from '../measurement';
import { probe } from '../probes';
import { withQueue } from '../queue-under-test';

const PROBES = 120;
const EVERY_MS = 50;

const ROWS: readonly Row[] = [
  { row: 'Tickmark', spec: { system: 'tickmark-worker', options: { slots: 10 } } },
  { row: 'raw LISTEN + claim', spec: { system: 'raw-fused', options: { batch: 1, connections: 1 } } },
  { row: 'graphile-worker', spec: { system: 'graphile-worker', options: { concurrency: 4 } } },
  { row: 'pg-boss, listening', spec: { system: 'pg-boss', options: { batchSize: 10, listen: true } } },
  { row: 'pg-boss, polling every 0.5 s', spec: { system: 'pg-boss', options: { batchSize: 100 } } },
  { row: 'BullMQ on Redis', spec: { system: 'bullmq-redis', options: { concurrency: 50 } } },
  { row: 'BullMQ on PostgreSQL', spec: { system: 'bullmq-postgres', options: { concurrency: 10 } } },
  { row: 'DBOS, polling every 10 ms', spec: { system: 'dbos', options: { pollMs: 10 } } },
  { row: 'DBOS, default', spec: { system: 'dbos', options: {} } },
];

/** From the call that enqueues a task to its start in another process, with nothing else to do. */
export async function latency(bench: Bench): Promise<Part> {
  const measured = await bench.rounds('latency', ROWS, (row) => measure(bench, row));
  const target = (says: string, over: string, atMost: number) => ({
    ...{ says, row: 'Tickmark', figure: 'p50', over: { row: over }, atMost },
  });
  return {
    name: 'latency',
    title: 'Dispatch latency of an idle system: from the enqueue call to the start in another process',
    columns: [
      { figure: 'p50', head: 'p50 ms', show: 'spread' },
      { figure: 'p95', head: 'p95 ms', show: 'spread' },
      { figure: 'enqueueP50', head: 'of it the enqueue call, p50 ms', show: 'median' },
    ],
    targets: [
      target('p50 to a raw LISTEN + claim', 'raw LISTEN + claim', 1.2),
      target('p50 to graphile-worker', 'graphile-worker', 0.7),
    ],
    notes: [`${PROBES} tasks a round, one every ${EVERY_MS} ms.`],
    ...measured,
  };
}

async function measure(bench: Bench, { spec }: Row): Promise<Run> {
  return withQueue(bench, spec, async (queue) => {
    const worker = await queue.openWorker(spec);
    worker.start();
    await delay(1500);
    const used = bench.accounting.begin();
    const options = { priority: 'low', count: PROBES, everyMs: EVERY_MS, warmUp: 10 } as const;
    const figures = await probe(queue.producer, worker, options);
    return { figures, usage: used() };
  });
}
