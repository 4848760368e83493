import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createTestApp, type TestApp } from '@/test/api';
import { POST } from './route';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('C4: a copy of a database takes no callback', async () => {
  await app.db.$client.query(`update tickmark.settings set home = 'lakebase:projects/p/branches/production'`);
  const response = await call(POST, { body: '{}' });
  expect({ status: response.status, text: await response.text() }).toMatchObject({
    status: 503,
    text: expect.stringContaining('is a copy'),
  });
});
