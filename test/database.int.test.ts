import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database';

let one: TestDatabase;
let other: TestDatabase;

beforeAll(async () => {
  [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
});

test('each test file gets a database of its own with the whole schema', async () => {
  await one.db.$client.query("insert into clients (name) values ('only here')");
  const rows = async (database: TestDatabase) =>
    (await database.db.$client.query('select count(*)::int as n from clients')).rows[0]?.n;
  expect(await rows(one)).toBe(1);
  expect(await rows(other)).toBe(0);
});
