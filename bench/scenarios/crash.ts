import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Row, Run } from '../bench';
import { now } from '../clock';
import type { Part } from '../measurement';
import { withQueue } from '../queue-under-test';
import type { SystemSpec } from '../systems/catalogue';

const HELD = 10;
const BY_SESSION = 'Tickmark, claimed and not dispatched';
const BY_LEASE = 'Tickmark, the same by the lease alone';

interface Crash extends Row {
  readonly patienceSeconds: number;
}

const tickmark = (options: object): SystemSpec => ({
  ...{ system: 'tickmark-worker', options: { slots: 2 * HELD, ...options } },
});

const ROWS: readonly Crash[] = [
  { row: BY_SESSION, spec: tickmark({ note: 'at end' }), patienceSeconds: 40 },
  { row: BY_LEASE, spec: tickmark({ note: 'at end', session: false }), patienceSeconds: 60 },
  { row: 'Tickmark, runs that ended with their process', spec: tickmark({}), patienceSeconds: 60 },
];

/** At their defaults, which some of them call minutes. */
const PEERS: readonly Crash[] = [
  {
    row: 'BullMQ on Redis',
    spec: { system: 'bullmq-redis', options: { concurrency: 12 } },
    patienceSeconds: 130,
  },
  {
    row: 'BullMQ on PostgreSQL',
    spec: { system: 'bullmq-postgres', options: { concurrency: 10 } },
    patienceSeconds: 130,
  },
  {
    row: 'pg-boss',
    spec: { system: 'pg-boss', options: { batchSize: 1, localConcurrency: 12, defaults: true } },
    patienceSeconds: 1150,
  },
];

const NOT_WAITED =
  'The others were not waited for (`--long` does). In an earlier measurement of the same versions on such a machine, at their defaults: BullMQ 57 s, pg-boss 899 s; graphile-worker holds a dead process’s locks for 4 h, which its SQL fixes and nobody waited for; DBOS takes nothing over until the same executor is started again.';

/** `kill -9` of a process that holds ten tasks, with another one alive: how long until they run there. */
export async function crash(bench: Bench): Promise<Part> {
  const ours = await bench.rounds('crash', ROWS, (row) => measure(bench, row));
  const theirs = bench.options.long
    ? await bench.rounds('crash', PEERS, (row) => measure(bench, row), { rounds: 1, again: false })
    : { measurements: [], leftOut: [] };
  const within = (says: string, row: string, atMost: number) => ({ says, row, figure: 'last', atMost });
  return {
    name: 'crash',
    title: `Crash recovery: kill -9 of a process that holds ${HELD} tasks`,
    columns: [
      { figure: 'first', head: 'first runs again after s', show: 'spread' },
      { figure: 'last', head: 'all run again after s', show: 'spread' },
    ],
    targets: [
      within('seconds until all run again', BY_SESSION, 2),
      within('seconds until all run again, by the lease alone', BY_LEASE, 20),
    ],
    notes: [
      `Default settings: lease 15 s, sweep 1 s. Runs that ended with their process were noted as running: the runner is asked, says that they are gone, and the tasks come back after the usual back-off of 1 to 2 s.`,
      ...(bench.options.long ? [] : [NOT_WAITED]),
    ],
    measurements: [...ours.measurements, ...theirs.measurements],
    leftOut: [...ours.leftOut, ...theirs.leftOut],
  };
}

async function measure(bench: Bench, { spec, patienceSeconds }: Crash): Promise<Run> {
  return withQueue(
    bench,
    spec,
    async (queue) => {
      const victim = await queue.openWorker(spec, { holds: true });
      victim.start();
      await delay(1000);
      for (let n = 0; n < HELD; n += 1) await queue.producer.enqueueOne({ kind: 'hold', n }, 'low');
      await until(20, 'the tasks to be held', () => victim.held.size === HELD);
      const survivor = await queue.openWorker(spec);
      survivor.start();
      // Anywhere between two looks of the survivor's.
      await delay(2000 + 1000 * Math.random());
      const used = bench.accounting.begin();
      const at = now();
      await victim.kill();
      await until(patienceSeconds, 'the tasks to run again', () => survivor.held.size === HELD);
      const after = [...survivor.held.values()].map((time) => (time - at) / 1000);
      return { usage: used(), figures: { first: Math.min(...after), last: Math.max(...after) } };
    },
    'kill',
  );
}

async function until(seconds: number, what: string, holds: () => boolean): Promise<void> {
  const patience = now() + seconds * 1000;
  while (!holds()) {
    if (now() > patience) throw new Error(`waited ${seconds} s for ${what}`);
    await delay(10);
  }
}
