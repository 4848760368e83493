import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createDb } from '@/lib/db/client';
import { adoptHome } from '@/lib/queue/adopt-home';
import { claimTasks } from '@/lib/queue/claim';
import { recordDispatch } from '@/lib/queue/dispatch';
import { checkHome } from '@/lib/queue/home';
import { readSettings } from '@/lib/queue/settings';
import { whyNotRunning } from '@/lib/queue/why-not-running';
import { createTestDatabase, dropDatabase } from '@/test/database';
import { withDatabase } from '@/test/template';
import { until } from '@/test/until';
import { createWorkerFixture, type WorkerFixture } from '@/test/worker-fixture';

const ELSEWHERE = 'lakebase:projects/tickmark/branches/production#1/1';
let world: WorkerFixture;
beforeEach(async () => {
  world = await createWorkerFixture();
});
afterEach(() => world.close());
const query = async (text: string, values: unknown[] = []) =>
  (await world.db.$client.query(text, values)).rows;

/** As the rows of a branch are: claimed by the original's worker, with a run of the original's. */
async function becomeCopy(): Promise<void> {
  await query('update tickmark.settings set home = $1', [ELSEWHERE]);
}

test('C4: in a copy of a database a worker stands by, and works once a person says that it is live', async () => {
  await world.upload('succeed', 'succeed');
  await becomeCopy();
  const before = await readSettings(world.db);
  world.startWorker();
  await until('it to give a sign twice', async () => {
    const [row] = await query('select heartbeat_at > started_at as again, session_pid from tickmark.workers');
    return row?.again && row.session_pid === null;
  });
  expect(await query('select id from tickmark.task_attempts')).toEqual([]);
  const [task] = await world.tasks();
  expect((await whyNotRunning(world.db, [task?.id ?? ''])).get(task?.id ?? '')).toMatch(/is a copy/);

  await adoptHome(world.db, { named: null, actor: 'test' });
  await until('both completed', async () =>
    (await world.tasks()).every(({ status }) => status === 'completed'),
  );
  expect((await readSettings(world.db)).environmentId).not.toBe(before.environmentId);
  expect(await query(`select action, details->>'from' as "from" from tickmark.audit_log`)).toEqual([
    { action: 'database.adopt', from: ELSEWHERE },
  ]);
});

test('C4: a worker under which the data becomes those of a copy ends before its next act', async () => {
  const worker = world.startWorker();
  await until(
    'it to be at work',
    async () => (await query('select 1 from tickmark.workers where session_pid is not null')).length > 0,
  );
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await becomeCopy();
  expect(await ended).toBe(1);
});

test('C4: runs of the original are given back in a copy that is adopted, their tasks wait anew, and nobody stops them', async () => {
  await world.upload('succeed');
  await query('update tickmark.tasks set estimated_tokens = 10, estimated_seconds = 1');
  const [claimed] = await claimTasks(world.db, { workerId: 'original', limit: 1, leaseSeconds: 60 });
  const attemptId = claimed?.attemptId ?? '';
  await recordDispatch(world.db, { attemptId, runId: 'run-of-the-original', workerId: 'original' });
  await becomeCopy();
  expect(await adoptHome(world.db, { named: null, actor: 'test' })).toBe(1);
  expect(await adoptHome(world.db, { named: null, actor: 'test' })).toBeNull();
  const [attempt] = await world.attempts(claimed?.taskId ?? '');
  expect(attempt).toMatchObject({ status: 'snoozed', run_id: 'run-of-the-original' });
  expect((await world.tasks())[0]).toMatchObject({ status: 'enqueued' });
});

test('C4: a database that is copied on one server knows that it is elsewhere', async () => {
  const original = await createTestDatabase();
  expect(await checkHome(original.db, null)).toBe(true);
  await original.db.$client.end();
  const name = `test_${randomBytes(8).toString('hex')}`;
  const server = new pg.Client({ connectionString: inject('serverUrl') });
  await server.connect();
  await server.query(`create database ${name} template ${new URL(original.url).pathname.slice(1)}`);
  const copy = createDb(withDatabase(inject('serverUrl'), name), { applicationName: 'test' });
  expect(await checkHome(copy, null)).toBe(false);
  await copy.$client.end();
  await server.end();
  await dropDatabase(inject('serverUrl'), name);
  await dropDatabase(inject('serverUrl'), new URL(original.url).pathname.slice(1));
});
