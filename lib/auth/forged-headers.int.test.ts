import { afterAll, beforeAll, expect, test } from 'vitest';
import { GET } from '@/app/api/v1/tasks/route';
import { setAppRuntime } from '@/lib/http/app-runtime';
import { call, createTestApp, ORIGIN, type TestApp } from '@/test/api';
import { findAppRole, listAppRoles, setAppRole } from './app-roles';
import { authenticate } from './authenticate';
import { createProxyVisitors } from './proxy-visitor';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const FORGED = {
  'x-forwarded-user': '1@1',
  'x-forwarded-email': 'boss@example.com',
  'x-forwarded-preferred-username': 'boss',
  'x-forwarded-access-token': 'x',
};

test('C3: headers of the Databricks proxy mean nothing elsewhere', async () => {
  await setAppRole(app.db, { subject: 'boss@example.com', role: 'admin', actor: 'test' });
  await setAppRole(app.db, { subject: '1', role: 'admin', actor: 'test' });
  expect((await call(GET, { headers: { origin: ORIGIN, ...FORGED } })).status).toBe(401);
  expect(await authenticate(new Headers(FORGED), app.runtime.auth)).toBeNull();
});

test('N11: a role that is given or taken away is in the audit log', async () => {
  await setAppRole(app.db, { subject: ' Ada@Example.com ', role: 'operator', actor: 'user:boss' });
  expect(await findAppRole(app.db, ['ada@example.com', '11'])).toBe('operator');
  await setAppRole(app.db, { subject: '11', role: 'admin', actor: 'user:boss' });
  expect(await findAppRole(app.db, ['ada@example.com', '11'])).toBe('admin');
  await setAppRole(app.db, { subject: 'ada@example.com', role: null, actor: 'user:boss' });
  expect((await listAppRoles(app.db)).map(({ subject }) => subject)).not.toContain('ada@example.com');
  const { rows } = await app.db.$client.query(
    `select details->>'role' as role from tickmark.audit_log where subject = 'ada@example.com' order by at`,
  );
  expect(rows).toEqual([{ role: 'operator' }, { role: null }]);
});

test('M28: of whom the workspace does not tell, a route says so with 503 and shows nothing', async () => {
  const findVisitor = createProxyVisitors({
    findPrincipal: () => Promise.reject(new Error('silent')),
    findRole: (names) => findAppRole(app.db, names),
    admins: [],
    adminGroups: [],
    operatorGroups: [],
    log: app.runtime.log,
  });
  setAppRuntime({ ...app.runtime, auth: { ...app.runtime.auth, findVisitor } });
  try {
    const answer = await call(GET, { headers: { origin: ORIGIN, 'x-forwarded-user': '7@1' } });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      code: 'unavailable',
      detail: expect.stringMatching(/does not say who you are/),
    });
    await setAppRole(app.db, { subject: '8', role: 'auditor', actor: 'test' });
    expect((await call(GET, { headers: { 'x-forwarded-user': '8@1' } })).status).toBe(200);
  } finally {
    setAppRuntime(app.runtime);
  }
});
