import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDb, type Db } from '@/lib/db/client';
import { listen } from '@/lib/db/listen';
import type { DatabaseCredentials } from '@/lib/platform/database-credentials/port';
import { until } from './until';

/** One implementation with a server that takes it. */
export interface CredentialsWorld {
  readonly credentials: DatabaseCredentials;
  /** Makes the server refuse what it took until now. Nothing where passwords are fixed. */
  expire(): Promise<void>;
  close(): Promise<void>;
}

/** What every way of logging in has to do. */
export function databaseCredentialsConformance(name: string, open: () => Promise<CredentialsWorld>): void {
  describe(`database credentials: ${name}`, () => {
    let world: CredentialsWorld;
    let db: Db;
    beforeAll(async () => {
      world = await open();
      db = createDb(world.credentials, { applicationName: 'conformance', max: 8 });
    });
    afterAll(async () => {
      await db.$client.end();
      await world.close();
    });

    const ask = async () => (await db.$client.query('select 1 as one')).rows[0].one;
    const many = () =>
      Promise.all(Array.from({ length: 8 }, () => db.$client.query('select pg_sleep(0.05)')));

    it('opens as many connections at once as are asked for', async () => {
      await many();
      expect(db.$client.totalCount).toBe(8);
    });

    it('M27: goes on with new connections after what it logged in with has expired', async () => {
      await world.expire();
      await endSessions(db);
      await until('the pool to notice', () => db.$client.totalCount <= 1);
      await many();
      expect(await ask()).toBe(1);
    });

    it('M27: a session that is open outlives what it logged in with', async () => {
      const client = await db.$client.connect();
      try {
        await world.expire();
        expect((await client.query('select 1 as one')).rows[0].one).toBe(1);
      } finally {
        client.release();
      }
    });

    it('serves the listening session too, which comes back after its end', async () => {
      let lives = 0;
      const listener = listen({
        database: world.credentials,
        applicationName: 'conformance listen',
        onPing: () => {},
        onState: (state) => {
          if (state === 'live') lives += 1;
        },
      });
      try {
        await until('it to listen', async () => lives === 1);
        await world.expire();
        await endSessions(db, 'conformance listen');
        await until('it to listen again', async () => lives === 2);
      } finally {
        await listener.close();
      }
    });

    it('keeps no password that expires in its address', () => {
      if (!world.credentials.password) return;
      expect(new URL(world.credentials.url).password).toBe('');
    });
  });
}

/** As a restart or a failover does. */
async function endSessions(db: Db, application = 'conformance'): Promise<void> {
  const client: pg.PoolClient = await db.$client.connect();
  try {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where usename = current_user and application_name = $1 and pid <> pg_backend_pid()`,
      [application],
    );
  } finally {
    client.release();
  }
}
