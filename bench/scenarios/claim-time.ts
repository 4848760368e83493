import { sql } from 'drizzle-orm';
import { createDb, type Db } from '@/lib/db/client';
import { applyCallbacks } from '@/lib/queue/callback';
import { claimTasks } from '@/lib/queue/claim';
import { priceUsages } from '@/lib/usage/price';
import type { Bench, Run } from '../bench';
import { now } from '../clock';
import type { Part } from '../measurement';
import { percentile } from '../statistics';
import { success } from '../systems/tickmark';
import { agentId } from '../systems/tickmark-agents';

const BATCH = 100;
const CLAIMS = 60;
const NONE = 'nothing more waiting';
const SPEC = { system: 'tickmark', options: { batch: BATCH, connections: 1 } } as const;

interface Backlog {
  readonly row: string;
  readonly behind: number;
}

const ROWS: readonly Backlog[] = [
  { row: NONE, behind: 0 },
  { row: '10,000 more', behind: 10_000 },
  { row: '1,000,000 more', behind: 1_000_000 },
];

/** How long the claim of a full batch takes, whatever waits behind it. */
export async function claimTime(bench: Bench): Promise<Part> {
  const measured = await bench.rounds('claim', ROWS, (row) => measure(bench, row));
  const same = (says: string, row: string, figure: string) => ({
    ...{
      says: `${says} with ${row} to ${NONE}`,
      row,
      figure,
      over: { row: NONE, figure: 'p50' },
      atMost: 1.25,
    },
  });
  return {
    name: 'claim',
    title: `Time to claim ${BATCH} tasks, by what waits behind them`,
    columns: [
      { figure: 'p50', head: 'p50 ms', show: 'spread' },
      { figure: 'p95', head: 'p95 ms', show: 'median' },
      { figure: 'insertedP50', head: 'right after the bulk insert, p50 ms', show: 'spread' },
      { figure: 'insertedFirst', head: 'the very first then, ms', show: 'median' },
    ],
    targets: ROWS.slice(1).flatMap(({ row }) => [
      same('p50', row, 'p50'),
      same('p50 right after the bulk insert', row, 'insertedP50'),
    ]),
    notes: [
      `${CLAIMS} claims a round over one connection; after each its tasks are completed and as many new ones put in, untimed. Exact limit, history and notification as always. First right after one statement has put them all in, without any statistics; then after \`vacuum analyze\`.`,
    ],
    ...measured,
  };
}

async function measure(bench: Bench, { behind }: Backlog): Promise<Run> {
  return bench.withPlace(SPEC, async (_, { databaseUrl }) => {
    const db = createDb(databaseUrl, { applicationName: 'bench claim', max: 1, statementTimeoutMs: 300_000 });
    try {
      await insert(db, behind + BATCH);
      const [insertedFirst = Number.NaN, ...inserted] = await claimMany(db);
      await bench.postgres.settle(databaseUrl);
      const used = bench.accounting.begin();
      const took = await claimMany(db);
      const usage = used();
      const [p50, p95] = [percentile(took, 0.5), percentile(took, 0.95)];
      return { usage, figures: { p50, p95, insertedFirst, insertedP50: percentile(inserted, 0.5) } };
    } finally {
      await db.$client.end();
    }
  });
}

async function claimMany(db: Db): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < CLAIMS; n += 1) took.push(await claimOnce(db));
  return took;
}

/** As a bulk upload or a script does it. */
async function insert(db: Db, count: number): Promise<void> {
  await db.execute(sql`
    insert into tickmark.tasks (agent_id, priority, estimated_tokens, estimated_seconds)
    select ${agentId(0)}, 50, 100, 1 from generate_series(1, ${count}::integer)`);
}

async function claimOnce(db: Db): Promise<number> {
  const at = now();
  const tasks = await claimTasks(db, { workerId: 'bench', limit: BATCH, leaseSeconds: 30 });
  const took = now() - at;
  if (tasks.length !== BATCH) throw new Error(`${tasks.length} tasks were claimed`);
  await applyCallbacks(db, tasks.map(success), { priceUsages });
  await insert(db, BATCH);
  return took;
}
