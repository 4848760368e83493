import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCaller } from './caller';
import { startWorkspace, type Workspace } from './workspace';

let workspace: Workspace;
let caller: ReturnType<typeof createCaller>;
beforeAll(async () => {
  workspace = await startWorkspace();
  caller = createCaller(workspace);
});
beforeEach(() => {
  workspace.settings.warehouseStartMs = 0;
});
afterAll(() => workspace.stop());

const STATEMENTS = '/api/2.0/sql/statements';
const execute = (more: object = {}) =>
  caller.call('POST', STATEMENTS, {
    body: JSON.stringify({
      warehouse_id: workspace.env().DATABRICKS_WAREHOUSE_ID,
      statement: 'SELECT 1',
      ...more,
    }),
  });

test('a statement that fails is an answer of 200 that says so', async () => {
  expect(await execute()).toMatchObject({
    status: 200,
    json: { status: { state: 'FAILED', error: { message: expect.stringContaining('PARSE_SYNTAX_ERROR') } } },
  });
  workspace.app.grants.delete('system.billing:SELECT');
  expect((await execute()).json).toMatchObject({
    status: { error: { message: expect.stringContaining('SELECT') } },
  });
  workspace.app.grants.add('system.billing:SELECT');
});

test('while its warehouse starts it is pending, and can be cancelled', async () => {
  // Its own workspace: the warehouse of the other one runs already.
  const cold = await startWorkspace();
  cold.settings.warehouseStartMs = 600_000;
  const other = createCaller(cold);
  const started = await other.call('POST', STATEMENTS, {
    body: JSON.stringify({
      warehouse_id: cold.env().DATABRICKS_WAREHOUSE_ID,
      statement: 'SELECT 1',
      wait_timeout: '0s',
    }),
  });
  expect(started.json).toMatchObject({ status: { state: 'PENDING' } });
  const id = String(started.json.statement_id);
  const warehouse = await other.call('GET', `/api/2.0/sql/warehouses/${cold.env().DATABRICKS_WAREHOUSE_ID}`);
  expect(warehouse.json).toMatchObject({ state: 'STARTING' });
  await other.call('POST', `${STATEMENTS}/${id}/cancel`);
  expect((await other.call('GET', `${STATEMENTS}/${id}`)).json).toMatchObject({
    status: { state: 'CANCELED' },
  });
  await cold.stop();
});

test.each([
  ['a wait of 4 s', { wait_timeout: '4s' }, 400],
  ['a wait of a minute', { wait_timeout: '60s' }, 400],
  ['a parameter without a marker', { parameters: [{ name: 'a', value: '1' }] }, 400],
  ['a marker without a parameter', { statement: 'SELECT :a' }, 400],
  ['a value that is no text', { statement: 'SELECT :a', parameters: [{ name: 'a', value: 1 }] }, 400],
  [
    'an array as a type',
    { statement: 'SELECT :a', parameters: [{ name: 'a', value: '1', type: 'ARRAY' }] },
    400,
  ],
  ['a field that is not one', { idempotency_token: 'x' }, 400],
  ['another warehouse', { warehouse_id: 'other' }, 404],
])('%s is refused', async (_title, wrong, status) => {
  expect((await execute(wrong)).status).toBe(status);
});

test('without the right to use the warehouse, or with somebody else’s statement, nothing is told', async () => {
  const id = String((await execute()).json.statement_id);
  const other = workspace.identities.addServicePrincipal('other');
  const token = workspace.identities.issue(other, 'oauth', ['all-apis'], 60);
  const foreign = await caller.call('GET', `${STATEMENTS}/${id}`, { auth: `Bearer ${token.value}` });
  expect(foreign.status).toBe(403);
  workspace.app.grants.delete('warehouse:CAN_USE');
  expect((await execute()).status).toBe(403);
  workspace.app.grants.add('warehouse:CAN_USE');
});
