import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDb, type Db } from '@/lib/db/client';
import { cancelTask } from '@/lib/queue/cancel';
import { claimTasks } from '@/lib/queue/claim';
import { recordDispatch } from '@/lib/queue/dispatch';
import { enqueueTasks } from '@/lib/queue/enqueue';
import { bundleForTest } from '@/test/bundle';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { until } from '@/test/until';
import type { LedgerInput } from './check-ledger';
import { LedgerWorker } from './ledger-worker';
import { AGENT_ID, registerAgent } from './register-agent';

let database: TestDatabase;
let db: Db;
const errors: unknown[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(database.url, { applicationName: 'example test', max: 20 });
});
afterAll(async () => {
  await db.$client.end();
  await database.close();
});

const startWorker = () => new LedgerWorker({ db, slots: 8, onError: (error) => errors.push(error) });
const enqueue = (inputs: unknown[]) =>
  enqueueTasks(
    db,
    inputs.map((input) => ({ agentId: AGENT_ID, priority: 50, input, actor: 'test' })),
  );
const balanced = (account: string, postings = 10): LedgerInput => ({
  account,
  postings: Array(postings).fill({ debit: '1.10', credit: '1.10' }),
});

async function statuses(ids: readonly { id: string }[]): Promise<string[]> {
  const { rows } = await db.execute<{ status: string }>(sql`
    select t.status
    from jsonb_array_elements_text(${JSON.stringify(ids.map(({ id }) => id))}::jsonb) with ordinality as w (id, n)
    join tickmark.tasks t on t.id = w.id::uuid
    order by w.n`);
  return rows.map(({ status }) => status);
}

const areFinal = async (ids: readonly { id: string }[]) =>
  (await statuses(ids)).every((status) => status !== 'enqueued' && status !== 'processing');

it('C11: lib/queue runs work that is no document, in its own process, within its limit', async () => {
  await registerAgent(db, { maxConcurrentTasks: 3 });
  const tasks = await enqueue([
    ...Array.from({ length: 60 }, (_, n) => balanced(`${n}`)),
    { account: 'off', postings: [{ debit: '0.3', credit: '0.1' }] },
    { account: 'locked', postings: [], lockedAtFirst: true },
    'no ledger at all',
  ]);
  const workers = [startWorker(), startWorker()];
  try {
    await until('every ledger is checked', () => areFinal(tasks));
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  expect(errors).toEqual([]);
  const found = await statuses(tasks);
  expect(found.slice(0, 62).every((status) => status === 'completed')).toBe(true);
  expect(found[62]).toBe('failed');
  const { rows } = await db.execute(sql`
    select t.input->>'account' as account, t.attempt_count, t.document_id, f->>'value' as difference,
      jsonb_array_length(t.result->'warnings') as warnings
    from tickmark.tasks t cross join jsonb_array_elements(t.result->'fields') f
    where t.input->>'account' in ('off', 'locked') and f->>'name' = 'difference' order by 1`);
  expect(rows).toEqual([
    { account: 'locked', attempt_count: 2, document_id: null, difference: '0', warnings: 0 },
    { account: 'off', attempt_count: 1, document_id: null, difference: '0.2', warnings: 1 },
  ]);
  expect(await mostAtOnce()).toBe(3);
});

it('C11: a run of it that is cancelled is stopped, and its task ends as cancelled', async () => {
  const [task] = await enqueue([balanced('long', 100_000)]);
  const worker = startWorker();
  try {
    await until('it runs', async () => (await statuses([task as { id: string }]))[0] === 'processing');
    await cancelTask(db, { taskId: task?.id ?? '', actor: 'test' });
    await until('it is cancelled', async () => (await statuses([task as { id: string }]))[0] === 'cancelled');
  } finally {
    await worker.stop();
  }
});

it('C11: what a worker that vanished left behind is tried again by another', async () => {
  const [task] = await enqueue([balanced('left')]);
  const [claimed] = await claimTasks(db, { workerId: 'ledger-gone', limit: 1, leaseSeconds: 60 });
  const attemptId = claimed?.attemptId ?? '';
  await recordDispatch(db, { attemptId, runId: `ledger-gone/${attemptId}`, workerId: 'ledger-gone' });
  await db.execute(sql`update tickmark.tasks set lease_expires_at = now() where status = 'processing'`);
  const worker = startWorker();
  try {
    await until('it is checked after all', () => areFinal([task as { id: string }]));
  } finally {
    await worker.stop();
  }
  const { rows } = await db.execute(sql`
    select status from tickmark.task_attempts where task_id = ${task?.id ?? ''}::uuid order by number`);
  expect(rows).toEqual([{ status: 'lost' }, { status: 'succeeded' }]);
});

it('C11: the example runs as its README says and ends by itself', async () => {
  const script = await bundleForTest('examples/other-workload/main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    env: { ...process.env, DATABASE_URL: database.url },
    timeout: 45_000,
  });
  expect(stdout).toContain('42 accounts are queued');
  expect(stdout).not.toContain('went wrong');
});

/** Attempts in flight at once at most, from the rows: an attempt counts from its claim to its end. */
async function mostAtOnce(): Promise<number> {
  const { rows } = await db.execute<{ most: number }>(sql`
    with change as (
      select claimed_at as at, 1 as by from tickmark.task_attempts where agent_id = ${AGENT_ID}
      union all
      select finished_at, -1 from tickmark.task_attempts where agent_id = ${AGENT_ID}
    )
    select max(n)::integer as most from (select sum(by) over (order by at, by) as n from change) c`);
  return rows[0]?.most ?? 0;
}
