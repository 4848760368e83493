import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCaller } from './caller';
import { startWorkspace, type Workspace } from './workspace';

let workspace: Workspace;
let caller: ReturnType<typeof createCaller>;
beforeAll(async () => {
  workspace = await startWorkspace();
  caller = createCaller(workspace);
  workspace.identities.addUser('ada@example.com', 'Ada', ['tickmark-admin']);
});
afterAll(() => workspace.stop());

const SCIM = '/api/2.0/preview/scim/v2';
const users = (filter: string) => caller.call('GET', `${SCIM}/Users?${new URLSearchParams({ filter })}`);

test('people and service principals are found by name and by id, with their groups', async () => {
  const found = await users('userName eq "ADA@example.com"');
  expect(found.json).toMatchObject({
    totalResults: 1,
    Resources: [{ userName: 'ada@example.com', groups: [{ display: 'tickmark-admin' }] }],
  });
  expect((await users('userName eq "nobody"')).json).not.toHaveProperty('Resources');
  expect((await users('userName like "a"')).json).toMatchObject({ scimType: 'invalidFilter' });
  const me = await caller.call('GET', `${SCIM}/Me`);
  expect(me.json).toMatchObject({ id: workspace.app.id, applicationId: workspace.clientId });
  expect(me.json).not.toHaveProperty('groups');
  expect((await caller.call('GET', `${SCIM}/ServicePrincipals/${workspace.app.id}`)).status).toBe(200);
  expect((await caller.call('GET', `${SCIM}/Users/${workspace.app.id}`)).json).toMatchObject({
    status: '404',
  });
});

test('an app says as whom it acts, and one of another name is not there', async () => {
  const app = await caller.call('GET', '/api/2.0/apps/tickmark');
  expect(app.json).toMatchObject({ service_principal_client_id: workspace.clientId });
  expect((await caller.call('GET', '/api/2.0/apps/other')).status).toBe(404);
});
