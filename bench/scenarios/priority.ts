import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Row, Run } from '../bench';
import { now } from '../clock';
import type { Part } from '../measurement';
import { probe } from '../probes';
import { withQueue } from '../queue-under-test';

const WAITING = 200_000;
const PROBES = 60;
const EVERY_MS = 100;
/** Until the drain is in its stride. */
const WARM_UP_MS = 400;

const GRAPHILE = 'graphile-worker, local queue 500';
const TICKMARK = 'Tickmark, batches of 100';

const ROWS: readonly Row[] = [
  { row: TICKMARK, spec: { system: 'tickmark', options: { batch: 100, connections: 2 } } },
  {
    row: 'raw floor with every feature, batches of 100',
    spec: { system: 'raw-full', options: { batch: 100, connections: 2 } },
  },
  { row: GRAPHILE, spec: { system: 'graphile-worker', options: { concurrency: 24, localQueue: 500 } } },
  { row: 'graphile-worker, plain', spec: { system: 'graphile-worker', options: { concurrency: 4 } } },
  { row: 'pg-boss, batches of 500', spec: { system: 'pg-boss', options: { batchSize: 500 } } },
];

/** How soon a task of the highest priority starts while many of a low one wait and are worked off. */
export async function priority(bench: Bench): Promise<Part> {
  const measured = await bench.rounds('priority', ROWS, (row) => measure(bench, row));
  return {
    name: 'priority',
    title: `Priority latency: an urgent task behind ${WAITING.toLocaleString('en')} waiting ones, while these are worked off`,
    columns: [
      { figure: 'p50', head: 'p50 ms', show: 'spread' },
      { figure: 'p95', head: 'p95 ms', show: 'spread' },
      { figure: 'perSecond', head: 'others started/s meanwhile', show: 'spread' },
    ],
    targets: [
      {
        ...{ says: 'p50 to graphile-worker with a local queue', row: TICKMARK, figure: 'p50' },
        ...{ over: { row: GRAPHILE }, atMost: 0.3 },
      },
      {
        ...{
          says: 'rate meanwhile to graphile-worker with a local queue',
          row: TICKMARK,
          figure: 'perSecond',
        },
        ...{ over: { row: GRAPHILE }, atLeast: 0.8 },
      },
    ],
    notes: [`Up to ${PROBES} urgent tasks a round, one every ${EVERY_MS} ms, one worker process.`],
    ...measured,
  };
}

async function measure(bench: Bench, { spec }: Row): Promise<Run> {
  // Killed at the end: what still waits is not worked off.
  return withQueue(
    bench,
    spec,
    async (queue) => {
      await queue.producer.enqueueMany(WAITING);
      await bench.postgres.settle(queue.place.databaseUrl);
      const worker = await queue.openWorker(spec);
      worker.start();
      while (worker.handled < 100) {
        await delay(10);
        queue.check();
      }
      await delay(WARM_UP_MS);
      const used = bench.accounting.begin();
      const [before, at] = [worker.handled, now()];
      let [after, until] = [before, at];
      const goOn = () => {
        [after, until] = [worker.handled, now()];
        return worker.handled < WAITING * 0.9;
      };
      const options = { priority: 'high', count: PROBES, everyMs: EVERY_MS, goOn } as const;
      const figures = await probe(queue.producer, worker, options);
      const perSecond = (after - before) / ((until - at) / 1000);
      return { figures: { ...figures, perSecond }, usage: used() };
    },
    'kill',
  );
}
