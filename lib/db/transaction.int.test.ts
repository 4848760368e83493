import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { createDb, type Db } from './client';
import { withTransaction } from './transaction';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(database.url, { applicationName: 'transaction test', max: 5 });
  await db.execute(sql`create table tickmark.t (id int primary key, n int not null)`);
});
afterAll(async () => {
  await db.$client.end();
  await database.close();
});
beforeEach(async () => {
  await db.execute(sql`truncate tickmark.t`);
  await db.execute(sql`insert into tickmark.t values (1, 0), (2, 0)`);
});

const sum = async () =>
  (await db.execute<{ n: number }>(sql`select sum(n)::int as n from tickmark.t`)).rows[0]?.n;

describe('withTransaction', () => {
  it('commits what it did, or nothing of it', async () => {
    await withTransaction(db, (tx) => tx.execute(sql`update tickmark.t set n = 1`));
    expect(await sum()).toBe(2);
    const broken = withTransaction(db, async (tx) => {
      await tx.execute(sql`update tickmark.t set n = 9`);
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    expect(await sum()).toBe(2);
  });

  it("joins the caller's transaction", async () => {
    const outer = withTransaction(db, async (tx) => {
      await withTransaction(tx, (inner) => inner.execute(sql`update tickmark.t set n = 5`));
      throw new Error('outer');
    });
    await expect(outer).rejects.toThrow('outer');
    expect(await sum()).toBe(0);
  });

  it('runs again after a deadlock', async () => {
    let tries = 0;
    const arrived = Promise.withResolvers<void>();
    let waiting = 0;
    const meet = async () => {
      if (++waiting >= 2) arrived.resolve();
      await arrived.promise;
    };
    const add = (first: number, second: number) =>
      withTransaction(db, async (tx) => {
        tries++;
        await tx.execute(sql`update tickmark.t set n = n + 1 where id = ${first}`);
        await meet();
        await tx.execute(sql`update tickmark.t set n = n + 1 where id = ${second}`);
      });
    await Promise.all([add(1, 2), add(2, 1)]);
    expect(await sum()).toBe(4);
    expect(tries).toBe(3);
  });

  it('B46: runs again when the connection was lost before the commit, on another connection', async () => {
    let tries = 0;
    await withTransaction(db, async (tx) => {
      await tx.execute(sql`update tickmark.t set n = n + 1`);
      if (++tries > 1) return;
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await db.execute(sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`);
      await tx.execute(sql`select 1`);
    });
    expect([tries, await sum()]).toEqual([2, 2]);
  });

  it('does not run again what the database refuses', async () => {
    let tries = 0;
    const refused = withTransaction(db, async (tx) => {
      tries++;
      await tx.execute(sql`insert into tickmark.t values (1, 1)`);
    });
    await expect(refused).rejects.toThrow();
    expect(tries).toBe(1);
  });

  it('B46: a pool lives on when all its sessions are ended', async () => {
    await Promise.all([1, 2, 3].map(() => db.execute(sql`select pg_sleep(0.01)`)));
    await database.db.$client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'transaction test'`,
    );
    expect(await withTransaction(db, () => sum())).toBe(0);
  });
});
