import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createDb, type Db } from '@/lib/db/client';
import { withDatabase } from './template';

/** A database of its own with the whole schema in it. */
export interface TestDatabase {
  readonly url: string;
  readonly db: Db;
  /** Ends the pool and drops the database. */
  close(): Promise<void>;
}

/** Copies the template (about 50 ms). Call it once per test file, or per test where rows must not mix. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template ${inject('template')} strategy file_copy`);
  const url = withDatabase(serverUrl, name);
  const db = createDb(url, { applicationName: 'test', max: 10 });
  return {
    url,
    db,
    close: async () => {
      await db.$client.end();
      await dropDatabase(serverUrl, name);
    },
  };
}

/** Vacuum may be at work in it, which only a superuser may end, but which a plain drop waits for. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  try {
    await onServer(serverUrl, `drop database if exists ${name} with (force)`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    await onServer(serverUrl, `drop database if exists ${name}`);
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
