import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { dropDatabase } from '@/test/database';
import { withDatabase } from '@/test/template';
import { createDb, type Db } from './client';
import { migrate } from './migrate';
import { SCHEMA_VERSION } from './schema-version';
import { readSchemaVersion, waitForSchema } from './wait-for-schema';

const name = `test_migrate_${randomBytes(6).toString('hex')}`;
let url: string;
let db: Db;

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  await client.query(statement);
  await client.end();
}

beforeAll(async () => {
  await onServer(`create database ${name}`);
  url = withDatabase(inject('serverUrl'), name);
  db = createDb(url, { applicationName: 'migrate test', max: 3 });
});
afterAll(async () => {
  await db.$client.end();
  await dropDatabase(inject('serverUrl'), name);
});

describe('migrate', () => {
  it('without a schema a process waits, then says what to do', async () => {
    expect(await readSchemaVersion(db)).toBeNull();
    await expect(waitForSchema(db, 10)).rejects.toThrow(/no schema yet.*db:migrate/);
  });

  it('B31: five processes that start at once on an empty database all succeed', async () => {
    const waiting = waitForSchema(db, 30_000);
    await Promise.all(Array.from({ length: 5 }, () => migrate(url, 'drizzle')));
    await waiting;
    expect(await readSchemaVersion(db)).toBe(SCHEMA_VERSION);
    const { rows } = await db.execute(sql`select id, current_version from agents order by id`);
    expect(rows.map((row) => row.id)).toEqual(['auto', 'contract', 'financial-report', 'general', 'invoice']);
    expect(rows.every((row) => row.current_version === 1)).toBe(true);
  });

  it('again changes nothing; a definition that differs from the code gets a new version, the old one stays', async () => {
    await db.execute(
      sql`update agent_versions set definition = '{"kind":"external"}' where agent_id = 'invoice'`,
    );
    await migrate(url, 'drizzle');
    await migrate(url, 'drizzle');
    const { rows } = await db.execute(sql`
      select v.version, v.definition->>'kind' as kind, a.current_version
      from agent_versions v join agents a on a.id = v.agent_id where a.id = 'invoice' order by v.version`);
    expect(rows).toEqual([
      { version: 1, kind: 'external', current_version: 2 },
      { version: 2, kind: 'extract', current_version: 2 },
    ]);
  });

  it('the order of the fields survives', async () => {
    const { rows } = await db.execute<{ definition: { schema: { properties: object } } }>(sql`
      select definition from agent_versions where agent_id = 'invoice' and version = 2`);
    expect(Object.keys(rows[0]?.definition.schema.properties ?? {}).slice(0, 3)).toEqual([
      'invoice_number',
      'issue_date',
      'due_date',
    ]);
  });

  it('sets the search path for the role, so that psql finds the tables', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    expect((await client.query('show search_path')).rows).toEqual([{ search_path: 'tickmark' }]);
    await client.end();
  });

  it('B36: every instant has a time zone', async () => {
    const { rows } = await db.execute<{ place: string }>(sql`
      select table_name || '.' || column_name as place from information_schema.columns
      where table_schema = 'tickmark' and data_type in ('timestamp without time zone', 'date', 'time without time zone')`);
    expect(rows).toEqual([]);
  });

  it('B32: a change that does not get its lock within 10 s gives up as a whole, and succeeds when it is free', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'tickmark-migrations-'));
    await cp('drizzle', folder, { recursive: true });
    const file = path.join(folder, 'meta', '_journal.json');
    const journal = JSON.parse(await readFile(file, 'utf8'));
    const next = {
      ...journal.entries.at(-1),
      idx: journal.entries.length,
      when: SCHEMA_VERSION + 1,
      tag: 'next',
    };
    await writeFile(file, JSON.stringify({ ...journal, entries: [...journal.entries, next] }));
    await writeFile(
      path.join(folder, 'next.sql'),
      'alter table tickmark.tasks add column of_next_release integer',
    );
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    try {
      await reader.query('begin');
      await reader.query('select count(*) from tasks');
      await expect(migrate(url, folder)).rejects.toMatchObject({ cause: { code: '55P03' } });
      expect(await readSchemaVersion(db)).toBe(SCHEMA_VERSION);
      // Nobody stands behind it any more.
      await db.execute(sql`update tasks set priority = priority`);
      await reader.query('commit');
      await migrate(url, folder);
      await db.execute(sql`select of_next_release from tasks`);
    } finally {
      await reader.end();
      await rm(folder, { recursive: true });
    }
  });

  it('a newer schema than the code knows is fine', async () => {
    await db.execute(
      sql`insert into schema_migrations (hash, created_at) values ('x', ${SCHEMA_VERSION + 2})`,
    );
    await waitForSchema(db, 10);
  });
});
