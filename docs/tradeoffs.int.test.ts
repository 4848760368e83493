import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('C14: the SQL for leaving runs as it stands in the document', async () => {
  const text = readFileSync(path.join(import.meta.dirname, 'tradeoffs.md'), 'utf8');
  const queries = [...text.matchAll(/^\\copy \((.*)\) to '/gm)].map(([, query]) => query ?? '');
  expect(queries.length).toBe(5);
  const client = await database.db.$client.connect();
  try {
    await client.query('set search_path = tickmark');
    for (const query of queries) await client.query(query);
  } finally {
    client.release();
  }
});
