import { afterEach, beforeEach, expect, test } from 'vitest';
import { grantRead } from '@/lib/db/grant-read';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { maskDatabase } from './mask-database';

let database: TestDatabase;
const query = async (text: string, values: unknown[] = []) =>
  (await database.db.$client.query(text, values)).rows;

beforeEach(async () => {
  database = await createTestDatabase();
  const result = {
    documentType: 'invoice',
    confidence: 0.9,
    fields: [{ name: 'seller', value: 'Secretum AG', page: 1 }],
  };
  await query(`insert into tickmark.clients (name) values ('Secretum AG')`);
  await query(
    `insert into tickmark.extractions (client, name, agent_id, submitted_by) values ('Secretum AG', 'Secretum 2026', 'invoice', 'user:secretum')`,
  );
  await query(
    `insert into tickmark.documents (extraction_id, sha256, filename, size_bytes, storage_uri)
     select id, repeat('a', 64), 'secretum.pdf', 1, 'file:secretum' from tickmark.extractions`,
  );
  await query(
    `insert into tickmark.tasks (agent_id, extraction_id, document_id, status, result, error_message, finished_at)
     select 'invoice', d.extraction_id, d.id, 'completed', $1::jsonb, 'about Secretum', now() from tickmark.documents d`,
    [JSON.stringify(result)],
  );
  await query(
    `insert into tickmark.task_events (task_id, to_status, actor, reason) select id, 'completed', 'user:secretum', 'secretum' from tickmark.tasks`,
  );
  await query(`insert into tickmark.audit_log (actor, action, subject) values ('user:secretum', 'x', 'y')`);
  await query(`insert into tickmark.app_roles values ('ada@secretum.example', 'admin', 'x')`);
});
afterEach(() => database.close());

/** Every table in which some row says it, whatever the column. */
async function tablesThatSay(word: string): Promise<string[]> {
  const tables = await query(`select tablename from pg_tables where schemaname = 'tickmark' order by 1`);
  const found: string[] = [];
  for (const { tablename } of tables) {
    const rows = await query(`select 1 from tickmark.${tablename} t where t::text ilike $1 limit 1`, [
      `%${word}%`,
    ]);
    if (rows.length > 0) found.push(tablename);
  }
  return found;
}

test('C4: in a masked copy no table tells of clients, documents or people, and counts stay', async () => {
  expect((await tablesThatSay('secretum')).length).toBeGreaterThan(5);
  await query(`update tickmark.settings set home = 'lakebase:elsewhere'`);
  await maskDatabase(database.db, null);
  expect(await tablesThatSay('secretum')).toEqual([]);
  expect(await query('select status, result from tickmark.tasks')).toEqual([
    {
      status: 'completed',
      result: {
        documentType: 'invoice',
        confidence: 0.9,
        warnings: [],
        fields: [{ name: 'seller', value: null, confidence: null, page: 1 }],
      },
    },
  ]);
});

test('C4: a live database is not masked', async () => {
  await expect(maskDatabase(database.db, null)).rejects.toThrow(/live here/);
  expect((await tablesThatSay('secretum')).length).toBeGreaterThan(5);
});

test('M28: a role that may read results reads nothing else', async () => {
  const role = `reader_${Date.now().toString(36)}`;
  await query(`create role ${role}`);
  await query(`grant ${role} to current_user with set true`).catch(() => {});
  const may = async (table: string, privilege = 'select') =>
    (await query(`select has_table_privilege($1, 'tickmark.' || $2, $3) as may`, [role, table, privilege]))[0]
      .may;
  await grantRead(database.db, role, 'reports');
  expect([
    await may('tasks'),
    await may('results'),
    await may('settings'),
    await may('tasks', 'update'),
  ]).toEqual([true, true, false, false]);
  await grantRead(database.db, role, 'results');
  expect([await may('results'), await may('tasks'), await may('documents')]).toEqual([true, false, false]);
  await query(`drop owned by ${role}`);
  await query(`drop role ${role}`);
});
