import type { Bench, Row } from '../bench';
import { drain } from '../drain';
import type { Column, Part, Target } from '../measurement';
import { median } from '../statistics';
import type { SystemSpec } from '../systems/catalogue';

export const COLUMNS: readonly Column[] = [
  { figure: 'perSecond', head: 'tasks/s', show: 'spread' },
  { figure: 'enqueuedPerSecond', head: 'enqueued/s', show: 'median' },
  { figure: 'postgresMicros', head: 'PostgreSQL CPU µs/task', show: 'median' },
  { figure: 'nodeMicros', head: 'Node CPU µs/task', show: 'median' },
  { figure: 'redisMicros', head: 'Redis CPU µs/task', show: 'median' },
];

/** How many tasks ours takes at once, over how many connections of one process. */
export interface Pace {
  readonly batch: number;
  readonly connections: number;
}

interface Drained extends Row {
  readonly processes: number;
  readonly tasks: number;
}

/** Claim and complete tasks that do nothing, with one and with two worker processes. */
export async function throughput(bench: Bench): Promise<Part> {
  const { pace, note } = await findPace(bench);
  const rows = [1, 2].flatMap((processes) =>
    contenders(pace).map(({ row, spec, share = 1 }): Drained => {
      const tasks = Math.round(bench.options.tasks * share);
      return { row: named(row, processes), spec, processes, tasks };
    }),
  );
  const measured = await bench.rounds('throughput', rows, (row) => drain(bench, row, row));
  return {
    name: 'throughput',
    title: 'Throughput: claim and complete tasks that do nothing',
    columns: COLUMNS,
    targets: [1, 2].flatMap((processes) => targetsAt(processes)).concat(SECOND_PROCESS),
    notes: [note, `${bench.options.tasks.toLocaleString('en')} tasks a run, fewer for the slow ones.`],
    ...measured,
  };
}

const named = (row: string, processes: number) =>
  `${row}, ${processes} ${processes === 1 ? 'process' : 'processes'}`;

function contenders(pace: Pace): { row: string; spec: SystemSpec; share?: number }[] {
  return [
    { row: 'Tickmark', spec: { system: 'tickmark', options: pace } },
    { row: 'raw floor with every feature', spec: { system: 'raw-full', options: pace } },
    {
      row: 'raw floor, one statement',
      spec: { system: 'raw-fused', options: { batch: 500, connections: 2 } },
    },
    {
      row: 'graphile-worker, local queue 1,000',
      spec: { system: 'graphile-worker', options: { concurrency: 24, localQueue: 1000 } },
    },
    {
      row: 'pg-boss, batches of 2,000',
      spec: { system: 'pg-boss', options: { batchSize: 2000, localConcurrency: 2 } },
    },
    { row: 'BullMQ on Redis', spec: { system: 'bullmq-redis', options: { concurrency: 100 } } },
    {
      row: 'BullMQ on PostgreSQL',
      spec: { system: 'bullmq-postgres', options: { concurrency: 10 } },
      share: 0.15,
    },
    {
      row: 'DBOS',
      spec: { system: 'dbos', options: { pollMs: 10, workerConcurrency: 200 } },
      share: 0.1,
    },
    {
      row: 'graphile-worker, plain',
      spec: { system: 'graphile-worker', options: { concurrency: 4 } },
      share: 0.2,
    },
  ];
}

function targetsAt(processes: number): Target[] {
  const row = named('Tickmark', processes);
  const to = (says: string, over: string, atLeast: number, aim?: number): Target => ({
    says: `${says}, ${processes} ${processes === 1 ? 'process' : 'processes'}`,
    row,
    figure: 'perSecond',
    over: { row: named(over, processes) },
    atLeast,
    ...(aim ? { aim } : {}),
  });
  return [
    to('to graphile-worker with its local queue', 'graphile-worker, local queue 1,000', 0.85, 1),
    to('to pg-boss at its best batch', 'pg-boss, batches of 2,000', 0.9, 1),
    to('to BullMQ on Redis', 'BullMQ on Redis', 2),
    to('to BullMQ on PostgreSQL', 'BullMQ on PostgreSQL', 15),
    to('to the raw floor with every feature', 'raw floor with every feature', 0.8),
  ];
}

const SECOND_PROCESS: Target = {
  says: 'two processes to one',
  row: named('Tickmark', 2),
  figure: 'perSecond',
  over: { row: named('Tickmark', 1) },
  atLeast: 1,
};

interface FoundPace {
  readonly pace: Pace;
  readonly note: string;
}

const found = new WeakMap<Bench, Promise<FoundPace>>();

/** The best batch and number of connections for ours, tried once in a run; or what was asked for. */
export function findPace(bench: Bench): Promise<FoundPace> {
  const known = found.get(bench) ?? tryPaces(bench);
  found.set(bench, known);
  return known;
}

async function tryPaces(bench: Bench): Promise<FoundPace> {
  const { batch, connections } = bench.options;
  if (batch && connections) {
    return {
      pace: { batch, connections },
      note: `Tickmark ran with batches of ${batch} over ${connections} connections, as asked for.`,
    };
  }
  const tried = (batch ? [batch] : [100, 500, 1000]).flatMap((size) =>
    (connections ? [connections] : [1, 2, 4]).map((count) => ({ batch: size, connections: count })),
  );
  const rows = tried.map((pace) => ({
    row: `Tickmark, batches of ${pace.batch} over ${pace.connections}`,
    spec: { system: 'tickmark', options: pace } as const,
    pace,
  }));
  const options = { tasks: bench.options.tasks / 2, processes: 1 };
  const { measurements } = await bench.rounds('scan', rows, (row) => drain(bench, row, options), {
    rounds: 2,
    only: /./,
  });
  const rate = ({ row }: { row: string }) =>
    median(measurements.flatMap((one) => (one.row === row ? [one.figures.perSecond ?? 0] : [])));
  const [best, ...others] = rows.toSorted((a, b) => rate(b) - rate(a));
  if (!best || !(rate(best) > 0)) throw new Error('no batch size of the scan could be measured');
  const list = [best, ...others].map(
    (row) => `${row.pace.batch} × ${row.pace.connections}: ${Math.round(rate(row)).toLocaleString('en')}`,
  );
  return {
    pace: best.pace,
    note: `Tickmark's batches × connections, tried with one process, tasks/s: ${list.join(' · ')}. The first one ran.`,
  };
}
