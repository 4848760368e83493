import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Health } from '@/lib/contract/api-health';
import { SCHEMA_VERSION } from '@/lib/db/schema-version';
import { readHealth } from '@/lib/http/health';
import { beat } from '@/lib/queue/worker-heartbeat';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { writeTask } from '@/test/story';
import { GET } from './route';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Each call asks anew: a runtime of its own is an answer of its own. */
const health = async () => Health.parse(await readHealth({ ...app.runtime }));

describe('health', () => {
  test('tells of workers, loops, database, tables, listener and disk', async () => {
    const sweeper = { agoMs: 400, tookMs: 5, runs: 12, failures: 1 };
    await beat(
      app.db,
      { id: 'w1', host: 'host', pid: 7, version: '0.1.0', schemaVersion: SCHEMA_VERSION },
      { loops: { sweeper } },
    );
    const response = await call(GET, { headers: await bearer('operator') });
    expect(response.status).toBe(200);
    const answer = Health.parse(await response.json());
    expect(answer).toMatchObject({
      app: { listener: 'unused', streams: 0, schemaVersion: SCHEMA_VERSION },
      workers: [
        { id: 'w1', pid: 7, alive: true, schemaVersion: SCHEMA_VERSION, loops: [{ name: 'sweeper' }] },
      ],
      expiredLeases: 0,
      disk: { folder: app.home },
    });
    expect(answer.sweeperAgeSeconds).toBeGreaterThanOrEqual(0.4);
    expect(answer.sweeperAgeSeconds).toBeLessThan(30);
    expect(answer.database.tables.map(({ name }) => name)).toContain('tasks');
    expect(answer.database.sizeBytes).toBeGreaterThan(1e6);
    expect(answer.concerns).toEqual([]);
  });

  test('B37: says so when no worker is left, and since when', async () => {
    await app.db.$client.query(`update tickmark.workers set heartbeat_at = now() - interval '10 minutes'`);
    expect((await health()).concerns).toMatchObject([
      { code: 'no_worker', urgency: 'now', title: 'No worker is running, since 10 min' },
    ]);
    await beat(app.db, { id: 'w1', host: 'host', pid: 7, version: '0.1.0', schemaVersion: SCHEMA_VERSION });
  });

  test('names who holds a snapshot', async () => {
    const holder = new pg.Client({ ...app.db.$client.options, application_name: 'a forgotten psql' });
    await holder.connect();
    await holder.query('begin isolation level repeatable read');
    // What is younger than a second is just work.
    await holder.query('select pg_sleep(1.1) from tickmark.settings');
    try {
      expect((await health()).database.oldestSnapshot).toMatchObject({
        application: 'a forgotten psql',
        state: 'idle in transaction',
        pid: (holder as unknown as { processID: number }).processID,
      });
    } finally {
      await holder.end();
    }
  });

  test('counts leases that nobody asks about', async () => {
    const id = await writeTask(app.db, { status: 'processing' });
    await app.db.$client.query(
      `update tickmark.tasks set lease_expires_at = now() - interval '5 minutes' where id = $1`,
      [id],
    );
    const { expiredLeases, concerns } = await health();
    expect(expiredLeases).toBe(1);
    expect(concerns.map(({ code }) => code)).toContain('leases_expired');
  });

  test('reads what a worker of another version reports as far as it can', async () => {
    await app.db.$client.query(
      `update tickmark.workers set loops = '{"dispatch": {"agoMs": "soon"}, "odd": null, "keeper": {"agoMs": 1, "tookMs": 2, "runs": 3, "failures": 0}}'`,
    );
    expect((await health()).workers[0]?.loops.map(({ name }) => name)).toEqual(['keeper']);
    await app.db.$client.query(`update tickmark.workers set loops = '[1, "x"]'`);
    expect((await health()).workers[0]?.loops).toEqual([]);
  });

  test('asks the database once for all who ask together', async () => {
    const runtime = { ...app.runtime };
    const [first, second] = await Promise.all([readHealth(runtime), readHealth(runtime)]);
    expect(second).toBe(first);
  });
});
