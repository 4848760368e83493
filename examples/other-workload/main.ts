import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { createDb, type Db } from '@/lib/db/client';
import { migrate } from '@/lib/db/migrate';
import { startEmbeddedPostgres } from '@/lib/embedded-postgres/server';
import { enqueueTasks } from '@/lib/queue/enqueue';
import type { LedgerInput } from './check-ledger';
import { LedgerWorker } from './ledger-worker';
import { AGENT_ID, registerAgent } from './register-agent';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Checks some accounts with two workers, at most three at a time over both, and tells what came of it. */
async function run(db: Db): Promise<void> {
  await requireNoOtherWorkers(db);
  await registerAgent(db, { maxConcurrentTasks: 3 });
  const tasks = await enqueueTasks(
    db,
    ledgers().map((input) => ({ agentId: AGENT_ID, priority: 50, input, actor: 'example' })),
  );
  say(`${tasks.length} accounts are queued; at most 3 are checked at once, whoever asks.`);
  const onError = (error: unknown) => say(`went wrong, goes on: ${error}`);
  const workers = [new LedgerWorker({ db, slots: 4, onError }), new LedgerWorker({ db, slots: 4, onError })];
  while ((await countOpen(db)) > 0) await delay(100);
  await Promise.all(workers.map((worker) => worker.stop()));
  const { rows } = await db.execute<{ line: string }>(sql`
    /* example.outcome */
    select format('%s: %s (attempts: %s)', status, count(*), sum(attempt_count)) as line
    from tickmark.tasks where agent_id = ${AGENT_ID} group by status order by status`);
  for (const { line } of rows) say(line);
}

/** Workers ask their own runner about all runs of a database, so two kinds of them must not share one. */
async function requireNoOtherWorkers(db: Db): Promise<void> {
  const { rows } = await db.execute(sql`
    /* example.other_workers */
    select 1 from tickmark.workers
    where version <> 'example' and heartbeat_at > clock_timestamp() - interval '30 seconds'`);
  if (rows.length > 0) {
    throw new Error(
      'DATABASE_URL: workers of another kind use this database; give the example one of its own',
    );
  }
}

function ledgers(): LedgerInput[] {
  const postings = Array.from({ length: 10 }, (_, n) => ({ debit: `${n}.10`, credit: `${n}.10` }));
  const balanced = Array.from({ length: 40 }, (_, n) => ({ account: `${1000 + n}`, postings }));
  return [
    ...balanced,
    { account: '2000', postings: [...postings, { debit: '0.01', credit: '0' }] },
    { account: '3000', postings, lockedAtFirst: true },
  ];
}

async function countOpen(db: Db): Promise<number> {
  const { rows } = await db.execute<{ open: number }>(sql`
    /* example.open */
    select count(*)::integer as open from tickmark.tasks
    where agent_id = ${AGENT_ID} and status in ('enqueued', 'processing')`);
  return rows[0]?.open ?? 0;
}

/** On DATABASE_URL, which must be an empty one or an earlier one of the example, or on a database of its own that goes away again. */
async function withDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const given = process.env.DATABASE_URL;
  if (given) {
    await migrate(given, path.resolve('drizzle'));
    return use(given);
  }
  const home = await mkdtemp(path.join(os.tmpdir(), 'tickmark-example-'));
  // As root, PostgreSQL runs as somebody else, who must be able to reach it.
  await chmod(home, 0o711);
  try {
    const server = await startEmbeddedPostgres({ home, logFile: path.join(home, 'postgres.log') });
    try {
      await migrate(server.url, path.resolve('drizzle'));
      await use(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

await withDatabase(async (url) => {
  const db = createDb(url, { applicationName: 'ledger example' });
  try {
    await run(db);
  } finally {
    await db.$client.end();
  }
});
