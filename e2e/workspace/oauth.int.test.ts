import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCaller } from './caller';
import { startWorkspace, type Workspace } from './workspace';

let workspace: Workspace;
let caller: ReturnType<typeof createCaller>;
beforeAll(async () => {
  workspace = await startWorkspace();
  caller = createCaller(workspace);
});
afterAll(() => workspace.stop());

test('a token is given for the right secret, with the lifetime that is set and no refresh token', async () => {
  const answer = await caller.tokenOf();
  expect(await answer.json()).toEqual({
    access_token: expect.stringMatching(/^.{1000,}$/),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'all-apis',
  });
});

test.each([
  ['a wrong secret', { secret: 'dose0' }, 401, 'invalid_client'],
  ['a scope that nobody knows', { scope: 'everything' }, 400, 'invalid_scope'],
  ['no scope', { scope: '' }, 400, 'invalid_scope'],
])(
  '%s is refused in the words of OAuth',
  async (_title, { scope, secret }: { scope?: string; secret?: string }, status, error) => {
    const answer = await caller.tokenOf(scope, secret);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error, error_description: expect.any(String) });
  },
);

test('a body in JSON and a grant that is not supported are refused', async () => {
  const post = (init: RequestInit) => fetch(`${workspace.host}/oidc/v1/token`, { method: 'POST', ...init });
  const json = await post({ body: '{}', headers: { 'content-type': 'application/json' } });
  expect(await json.json()).toMatchObject({ error: 'invalid_request' });
  const grant = await post({ body: new URLSearchParams({ grant_type: 'password', scope: 'all-apis' }) });
  expect(await grant.json()).toMatchObject({ error: 'unsupported_grant_type' });
});

test('a call without a token, with a wrong, an expired or a revoked one is refused with 401', async () => {
  const list = '/api/2.2/jobs/runs/list';
  const none = await fetch(`${workspace.host}${list}`);
  expect([none.status, await none.json()]).toMatchObject([401, { error_code: 401 }]);
  expect(await caller.call('GET', list, { auth: 'Bearer nonsense' })).toMatchObject({ status: 401 });
  workspace.settings.tokenSeconds = 0;
  expect(await caller.call('GET', list)).toMatchObject({
    status: 401,
    json: { error_code: 'UNAUTHENTICATED' },
  });
  workspace.settings.tokenSeconds = 3600;
  const auth = await caller.bearer();
  expect((await caller.call('GET', list, { auth })).status).toBe(200);
  workspace.identities.revoke();
  expect((await caller.call('GET', list, { auth })).status).toBe(401);
});

test('a token whose scope is another API is refused with 403', async () => {
  const auth = await caller.bearer('sql');
  expect(await caller.call('GET', '/api/2.2/jobs/runs/list', { auth })).toMatchObject({
    status: 403,
    json: { error_code: 'PERMISSION_DENIED', message: expect.stringContaining('required scopes') },
  });
});

test('a call under another host name reaches no workspace, and an API that is not there says so', async () => {
  const { port } = new URL(workspace.host);
  const status = await new Promise((resolve, reject) => {
    const headers = { host: 'other.cloud.databricks.com' };
    http
      .get({ port, host: '127.0.0.1', path: '/api/2.2/jobs/get', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on('error', reject);
  });
  expect(status).toBe(404);
  expect(await caller.call('GET', '/api/2.1/jobs/list')).toMatchObject({
    status: 404,
    json: { error_code: 'ENDPOINT_NOT_FOUND' },
  });
});

test('a fault meets the calls that it is for, as often as it says', async () => {
  const list = '/api/2.2/jobs/runs/list';
  const auth = await caller.bearer();
  workspace.faults.add({
    kind: 'status',
    path: list,
    status: 503,
    times: 1,
    after: 1,
    headers: { 'retry-after': '7' },
  });
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await caller.call('GET', list, { auth })).status);
  expect(statuses).toEqual([200, 503, 200]);
  workspace.faults.add({ kind: 'half', path: list, times: 1 });
  await expect(caller.call('GET', list, { auth })).rejects.toThrow();
  workspace.faults.add({ kind: 'reset', path: list, times: 1 });
  await expect(caller.call('GET', list, { auth })).rejects.toThrow();
  expect((await caller.call('GET', list, { auth })).status).toBe(200);
});
