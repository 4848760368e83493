import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Pointer, SUPERUSER } from './cluster';

/** The role and the database that the product uses; the role is no superuser. */
export const ROLE = 'tickmark';
export const DATABASE = 'tickmark';

/** Connection string on 127.0.0.1, with the role's password in it. */
export function connection(pointer: Pointer, port: number, role: string, database: string): string {
  const password = role === SUPERUSER ? pointer.superuserPassword : pointer.password;
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;
}

/** Resolves when the server takes connections, however long its recovery lasts; throws when its process ends. */
export async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  let failed: Error | undefined;
  child.once('error', (error) => {
    failed = error;
  });
  // Recovery after a crash may take long and is no error: only the end of the process is.
  for (;;) {
    if (failed) throw failed;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the server ended at once');
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return;
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (code.startsWith('28')) {
        throw new Error("the server does not take the password in the data folder's postgres.json", {
          cause: error,
        });
      }
      await delay(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Makes the product's role and database; taken again at each start, since the first may have been cut short. */
export async function ensureDatabase(pointer: Pointer, port: number): Promise<void> {
  const client = new pg.Client({ connectionString: connection(pointer, port, SUPERUSER, 'postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    const found = await client.query<{ role: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as role,
              exists (select from pg_database where datname = $2) as database`,
      [ROLE, DATABASE],
    );
    if (!found.rows[0]?.role) await client.query(`create role ${ROLE}`);
    // Options take no bound values. Set each time: a lost postgres.json brings a new password.
    const password = client.escapeLiteral(pointer.password);
    await client.query(`alter role ${ROLE} login createdb createrole password ${password}`);
    await client.query(`alter role ${ROLE} set search_path = tickmark`);
    if (!found.rows[0]?.database) await client.query(`create database ${DATABASE} owner ${ROLE}`);
  } finally {
    await client.end();
  }
}
