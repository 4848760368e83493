import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { createDb, type Db } from '@/lib/db/client';
import { enqueueTasks, type NewTask } from '@/lib/queue/enqueue';
import type { Usage } from '../accounting';
import type { Bench } from '../bench';
import { now } from '../clock';
import type { Figures, Measurement, Part } from '../measurement';
import { type QueueUnderTest, withQueue } from '../queue-under-test';
import { agentId } from '../systems/tickmark-agents';

const PROCESSES = 2;
const PER_SECOND = 100;
const TICK_MS = 100;
/** Milliseconds of a run per page, and how often a document has that many pages. */
const MS_PER_PAGE = 100;
const SHORT = { pages: 2, share: 0.9 };
const LONG = { pages: 200, share: 0.1 };
/** Of all tasks end each of their attempts with an error. */
const FAILING = 0.005;
const LIMIT = 300;
const SPEC = {
  ...{ system: 'tickmark-worker' as const },
  options: { slots: LIMIT, agents: 2, limit: LIMIT },
};
/** Until the last long task has ended for the third time. */
const DRAIN_SECONDS = 120;

/** A steady stream of short and long tasks for minutes, with two worker processes and limits. */
export async function sustained(bench: Bench): Promise<Part> {
  const measurements = await withQueue(bench, SPEC, (queue) => measure(bench, queue));
  const [all] = measurements;
  if (all) bench.tell(`sustained  ${JSON.stringify(all.figures)}`);
  return {
    name: 'sustained',
    title: `Sustained run: ${bench.options.minutes} min of mixed tasks`,
    columns: [
      { figure: 'perSecond', head: 'finished/s', show: 'median' },
      { figure: 'p50', head: 'dispatch latency p50 ms', show: 'median' },
      { figure: 'p95', head: 'p95', show: 'median' },
      { figure: 'p99', head: 'p99', show: 'median' },
      { figure: 'totalP95', head: 'to the result p95 ms', show: 'median' },
      { figure: 'failedPercent', head: 'failed %', show: 'median' },
      { figure: 'left', head: 'not finished', show: 'median' },
      { figure: 'postgresCores', head: 'PostgreSQL, cores', show: 'median' },
      { figure: 'nodeCores', head: 'Node, cores', show: 'median' },
      { figure: 'connections', head: 'connections, most', show: 'median' },
    ],
    targets: [
      { says: 'tasks not finished in the end', row: 'all', figure: 'left', atMost: 0 },
      {
        ...{ says: 'dispatch latency p95 of short tasks to long ones', row: 'short', figure: 'p95' },
        ...{ over: { row: 'long' }, atMost: 1.25 },
      },
    ],
    notes: [
      `${PER_SECOND} tasks a second: ${SHORT.share * 100} % stand for ${SHORT.pages} pages and run ${(SHORT.pages * MS_PER_PAGE) / 1000} s, ${LONG.share * 100} % for ${LONG.pages} pages and run ${(LONG.pages * MS_PER_PAGE) / 1000} s, in random order over two agents of ${LIMIT} at once each. ${FAILING * 100} % are made to fail at each attempt: they are tried three times and then failed. Dispatch latency is from the task's row to its first run, by the database's clock. ${PROCESSES} worker processes with their own loops and a test runner; the stream comes from the bench.`,
    ],
    measurements,
    leftOut: [],
  };
}

async function measure(bench: Bench, queue: QueueUnderTest): Promise<Measurement[]> {
  const db = createDb(queue.place.databaseUrl, { applicationName: 'bench stream', max: 3 });
  try {
    for (let n = 0; n < PROCESSES; n += 1) (await queue.openWorker(SPEC)).start();
    await delay(1000);
    const used = bench.accounting.begin();
    const connections = await stream(db, queue, bench.options.minutes * 60);
    const usage = used();
    await untilDone(queue);
    const figures = { ...machineFigures(usage), connections };
    const rows = await Promise.all(['all', 'short', 'long'].map((row) => readRow(db, row, usage.seconds)));
    return rows.map(({ row, found }) => ({
      ...{ row, round: 1, others: usage.others },
      figures: row === 'all' ? { ...found, ...figures } : found,
    }));
  } finally {
    await db.$client.end();
  }
}

const machineFigures = ({ postgres, node, seconds }: Usage): Figures => ({
  postgresCores: postgres / seconds,
  nodeCores: node / seconds,
});

/** Puts tasks in at an even pace; resolves to the most connections that the database had. */
async function stream(db: Db, queue: QueueUnderTest, seconds: number): Promise<number> {
  const begun = now();
  let [put, most, looked] = [0, 0, 0];
  while (now() < begun + seconds * 1000) {
    queue.check();
    const due = Math.floor(((now() - begun) / 1000) * PER_SECOND) - put;
    await enqueueTasks(
      db,
      Array.from({ length: due }, (_, n) => newTask(put + n)),
    );
    put += due;
    if (now() - looked > 5000) {
      looked = now();
      most = Math.max(most, await countConnections(db));
    }
    await delay(TICK_MS);
  }
  return most;
}

function newTask(n: number): NewTask {
  const kind = Math.random() < LONG.share ? LONG : SHORT;
  const milliseconds = kind.pages * MS_PER_PAGE;
  const fails = Math.random() < FAILING;
  const tokens = kind.pages * 500;
  return {
    ...{ agentId: agentId(n % 2), priority: 50, actor: 'bench' },
    estimate: { tokens, seconds: milliseconds / 1000 },
    input: { kind: 'wait', n, milliseconds, tokens, ...(fails ? { fails } : {}) },
  };
}

async function untilDone(queue: QueueUnderTest): Promise<void> {
  for (let waited = 0; waited < DRAIN_SECONDS; waited += 1) {
    if ((await queue.producer.countOpen()) === 0) return;
    queue.check();
    await delay(1000);
  }
}

async function countConnections(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::integer as count from pg_stat_activity where datname = current_database()`);
  return rows[0]?.count ?? 0;
}

async function readRow(db: Db, row: string, seconds: number): Promise<{ row: string; found: Figures }> {
  const pages = { all: null, short: SHORT.pages, long: LONG.pages }[row] ?? null;
  const { rows } = await db.execute<{ [figure: string]: number }>(sql`
    with wanted as materialized (
      select t.id, t.status, t.created_at, t.finished_at
      from tickmark.tasks t
      where ${pages}::integer is null or (t.input->>'milliseconds')::integer = ${pages}::integer * ${MS_PER_PAGE}::integer
    ),
    waited as (
      select extract(epoch from a.dispatched_at - w.created_at)::float8 * 1000 as ms
      from wanted w
      join tickmark.task_attempts a on a.task_id = w.id and a.number = 1
      where a.dispatched_at is not null
    ),
    ended as (
      select count(*) filter (where finished_at is not null)::float8 / ${seconds}::float8 as "perSecond",
        count(*) filter (where finished_at is null)::float8 as left,
        100 * count(*) filter (where status = 'failed')::float8 / greatest(1, count(*)) as "failedPercent",
        percentile_cont(0.95) within group (order by extract(epoch from finished_at - created_at)::float8 * 1000) as "totalP95"
      from wanted
    )
    select ended.*, p.p50, p.p95, p.p99
    from ended, (
      select percentile_cont(0.5) within group (order by ms) as p50,
        percentile_cont(0.95) within group (order by ms) as p95,
        percentile_cont(0.99) within group (order by ms) as p99
      from waited
    ) p`);
  return { row, found: rows[0] ?? {} };
}
