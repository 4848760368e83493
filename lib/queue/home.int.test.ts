import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createDb } from '@/lib/db/client';
import { maskDatabase } from '@/lib/masking/mask-database';
import { createTestDatabase, dropDatabase } from '@/test/database';
import { QueueWorld } from '@/test/queue-world';
import { withDatabase } from '@/test/template';
import { adoptHome } from './adopt-home';
import { checkHome, findWhereabouts } from './home';
import { formatPlace } from './place';
import { findOver } from './run-owners';

const BRANCH = 'lakebase:projects/tickmark/branches/production';
const OTHER_BRANCH = 'lakebase:projects/tickmark/branches/debug';
let world: QueueWorld;
beforeEach(async () => {
  world = await QueueWorld.create();
});
afterEach(() => world.close());

const query = async (text: string, values: unknown[] = []) =>
  (await world.db.$client.query(text, values)).rows;
const settings = async () =>
  (await query('select home, is_copy, environment_id from tickmark.settings'))[0] as {
    home: string | null;
    is_copy: boolean;
    environment_id: string;
  };

/** All of a task's history in one transaction, as a restore writes it. */
async function restoreHistory(): Promise<void> {
  const client = await world.db.$client.connect();
  try {
    await client.query('begin');
    await client.query('create temporary table history on commit drop as select * from tickmark.task_events');
    await client.query('alter table tickmark.task_events disable trigger user');
    await client.query('delete from tickmark.task_events');
    await client.query('insert into tickmark.task_events overriding system value select * from history');
    await client.query('alter table tickmark.task_events enable trigger user');
    await client.query('commit');
  } finally {
    client.release();
  }
}

describe('C4: where it can not be told whether a database is live', () => {
  it.each(['older', 'complete'])(
    'nothing is noted, adopted or masked (home in the %s form)',
    async (form) => {
      const { place } = await findWhereabouts(world.db, BRANCH);
      await query('update tickmark.settings set home = $1', [form === 'older' ? BRANCH : formatPlace(place)]);
      await query(`insert into tickmark.clients (name) values ('Real client')`);
      const before = await settings();
      expect(await checkHome(world.db, null)).toBe(false);
      await expect(maskDatabase(world.db, null)).rejects.toThrow(/Set LAKEBASE_ENDPOINT/);
      await expect(adoptHome(world.db, { named: null, actor: 'test' })).rejects.toThrow(
        /Set LAKEBASE_ENDPOINT/,
      );
      expect(await settings()).toEqual(before);
      expect(await query('select name from tickmark.clients')).toEqual([{ name: 'Real client' }]);
      expect(await checkHome(world.db, BRANCH)).toBe(true);
    },
  );
});

it('C4: where a worker was at work within the last minute, a copy is neither masked nor adopted', async () => {
  await checkHome(world.db, BRANCH);
  await query(
    `insert into tickmark.workers (id, host, pid, version, session_pid) values ('at-work', 'h', 1, '1', 1)`,
  );
  // The endpoint of a branch is set, while DATABASE_URL leads to the live one.
  await expect(maskDatabase(world.db, OTHER_BRANCH)).rejects.toThrow(/at-work was at work/);
  await expect(adoptHome(world.db, { named: OTHER_BRANCH, actor: 'test' })).rejects.toThrow(/at work/);
  await query(`update tickmark.workers set heartbeat_at = now() - interval '2 minutes'`);
  await maskDatabase(world.db, OTHER_BRANCH);
});

it('C4: a home in the older form is completed once, and a second database in the branch is then a copy', async () => {
  const original = await createTestDatabase();
  await original.db.$client.query('update tickmark.settings set home = $1', [BRANCH]);
  expect(await checkHome(original.db, BRANCH)).toBe(true);
  const { rows } = await original.db.$client.query('select home from tickmark.settings');
  expect(rows[0].home).toMatch(/^lakebase:projects\/tickmark\/branches\/production#\d+\/\d+$/);
  await original.db.$client.end();

  const server = new pg.Client({ connectionString: inject('serverUrl') });
  await server.connect();
  const from = new URL(original.url).pathname.slice(1);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await server.query(`create database ${name} template ${from}`);
  const copy = createDb(withDatabase(inject('serverUrl'), name), { applicationName: 'test' });
  expect(await checkHome(copy, BRANCH)).toBe(false);
  expect((await copy.$client.query('select is_copy from tickmark.settings')).rows).toEqual([
    { is_copy: true },
  ]);
  await copy.$client.end();
  await server.end();
  for (const each of [name, from]) await dropDatabase(inject('serverUrl'), each);
});

describe('C4: a database from before databases noted their home', () => {
  it('is at home where it is upgraded in place, with tasks in flight', async () => {
    await world.running();
    await world.claimed();
    await query('update tickmark.settings set home = null, is_copy = false');
    expect(await checkHome(world.db, null)).toBe(true);
    expect((await settings()).home).toMatch(/^postgres:/);
  });

  it('is a copy where a dump of it was restored with tasks in flight, until it is adopted', async () => {
    const { attemptId } = await world.running();
    await query('update tickmark.settings set home = null, is_copy = false');
    await restoreHistory();
    expect(await checkHome(world.db, null)).toBe(false);
    expect(await settings()).toMatchObject({ home: null, is_copy: true });
    // What somebody does in it by hand does not make it live.
    await query(`insert into tickmark.task_events (task_id, actor, reason)
      select task_id, 'user:test', 'looked at' from tickmark.task_attempts`);
    expect(await checkHome(world.db, null)).toBe(false);
    expect(await adoptHome(world.db, { named: null, actor: 'test' })).toBe(1);
    expect(await checkHome(world.db, null)).toBe(true);
    expect(await world.attempt(attemptId)).toMatchObject({ status: 'snoozed' });
  });
});

it('C4: what was under way in the original is given back uncounted, however often it was lost, and its files stay', async () => {
  const { taskId, attemptId } = await world.running();
  const over = await world.running();
  await world.succeed(over);
  await query('update tickmark.tasks set lost_count = 2, attempt_count = 3, max_attempts = 3 where id = $1', [
    taskId,
  ]);
  await query(`update tickmark.settings set home = 'postgres:1/1'`);
  expect(await adoptHome(world.db, { named: null, actor: 'test' })).toBe(1);
  expect(await world.task(taskId)).toMatchObject({
    status: 'enqueued',
    attempt_count: 2,
    lost_count: 2,
    error_code: null,
  });
  expect(await world.attempt(attemptId)).toMatchObject({ status: 'snoozed', error_code: null });
  expect(await findOver(world.db, [attemptId, over.attemptId])).toEqual([]);
  const own = await world.running();
  await world.succeed(own);
  expect((await findOver(world.db, [own.attemptId])).map(({ attemptId: id }) => id)).toEqual([own.attemptId]);
});
