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
const CLAIMS = 30;
const NONE = 'nothing more waiting';
const SPEC = { system: 'tickmark', options: { batch: BATCH, connections: 1 } } as const;

interface Backlog {
  readonly row: string;
  readonly behind: number;
  /** Whether statistics were gathered after the tasks were put in. */
  readonly analyzed: boolean;
}

const ROWS: readonly Backlog[] = [
  { row: NONE, behind: 0, analyzed: true },
  { row: '10,000 more', behind: 10_000, analyzed: true },
  { row: '1,000,000 more', behind: 1_000_000, analyzed: true },
  { row: '10,000 more, right after the bulk insert', behind: 10_000, analyzed: false },
  { row: '1,000,000 more, right after the bulk insert', behind: 1_000_000, analyzed: false },
];

/** How long the claim of a full batch takes, whatever waits behind it. */
export async function claimTime(bench: Bench): Promise<Part> {
  const measured = await bench.rounds('claim', ROWS, (row) => measure(bench, row));
  return {
    name: 'claim',
    title: `Time to claim ${BATCH} tasks, by what waits behind them`,
    columns: [
      { figure: 'p50', head: 'p50 ms', show: 'spread' },
      { figure: 'p95', head: 'p95 ms', show: 'median' },
      { figure: 'first', head: 'the very first ms', show: 'median' },
    ],
    targets: ROWS.slice(1).map(({ row }) => ({
      ...{ says: `p50 with ${row} to ${NONE}`, row, figure: 'p50', over: { row: NONE }, atMost: 1.25 },
    })),
    notes: [
      `${CLAIMS} claims a round over one connection; after each its tasks are completed and as many new ones put in, untimed. Exact limit, history and notification as always.`,
    ],
    ...measured,
  };
}

async function measure(bench: Bench, { behind, analyzed }: Backlog): Promise<Run> {
  return bench.withPlace(SPEC, async (_, { databaseUrl }) => {
    const db = createDb(databaseUrl, { applicationName: 'bench claim', max: 1, statementTimeoutMs: 300_000 });
    try {
      await insert(db, behind + BATCH);
      if (analyzed) await bench.postgres.settle(databaseUrl);
      const used = bench.accounting.begin();
      const took: number[] = [];
      for (let n = 0; n < CLAIMS; n += 1) took.push(await claimOnce(db));
      const later = took.slice(1);
      const [p50 = 0, p95 = 0] = [0.5, 0.95].map((share) => percentile(later, share));
      return { usage: used(), figures: { p50, p95, first: took[0] ?? Number.NaN } };
    } finally {
      await db.$client.end();
    }
  });
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
