import { afterEach, expect, test } from 'vitest';
import { jumpingClock } from '@/test/call-clock';
import { type Given, type Received, startTestServer, type TestServer } from '@/test/http-server';
import { createWarehouse, type Warehouse } from './statements';
import { createWorkspaceClient } from './workspace-client';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const COLUMNS = { schema: { columns: [{ name: 'a' }, { name: 'b' }] } };
const done = (more: object) => ({
  body: { statement_id: 's', status: { state: 'SUCCEEDED' }, manifest: COLUMNS, ...more },
});
const at = (state: string, error?: object) => ({
  body: { statement_id: 's', status: { state, ...(error && { error }) } },
});

async function world(
  answers: readonly Given[],
): Promise<{ warehouse: Warehouse; server: TestServer; calls(): Received[] }> {
  const left = [...answers];
  const server = await startTestServer(({ path }) => {
    if (path === '/oidc/v1/token') return { body: { access_token: 'token', expires_in: 3600 } };
    return left.length > 1 ? (left.shift() ?? {}) : (left[0] ?? {});
  });
  const clock = jumpingClock();
  const client = createWorkspaceClient({
    host: server.origin,
    clientId: 'a',
    clientSecret: 'b',
    log: { warn() {}, debug() {} },
    clock,
  });
  open.push(client, server);
  return {
    warehouse: createWarehouse(client, 'w', clock),
    server,
    calls: () => server.received.filter(({ path }) => path !== '/oidc/v1/token'),
  };
}

const read = (warehouse: Warehouse) =>
  warehouse.read('select :x', [{ name: 'x', value: '1', type: 'STRING' }], { withinMs: 60_000 });

test('a warehouse that is still starting is waited for, in states known and unknown', async () => {
  const { warehouse, calls } = await world([
    at('PENDING'),
    at('WARMING'),
    at('RUNNING'),
    done({ result: { data_array: [['1', null]] } }),
  ]);
  expect(await read(warehouse)).toEqual([{ a: '1', b: null }]);
  expect(calls().map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/2.0/sql/statements',
    ...Array(3).fill('GET /api/2.0/sql/statements/s'),
  ]);
  expect(JSON.parse(String(calls()[0]?.body))).toMatchObject({
    warehouse_id: 'w',
    wait_timeout: '30s',
    on_wait_timeout: 'CONTINUE',
    parameters: [{ name: 'x', value: '1', type: 'STRING' }],
  });
});

test('a result in chunks is read to its last one, and one without rows has none', async () => {
  const chunked = await world([
    done({ result: { data_array: [['1', '2']], next_chunk_index: 1 } }),
    { body: { data_array: [['3', '4']], next_chunk_index: 2 } },
    { body: { data_array: [['5', '6']] } },
  ]);
  expect(await read(chunked.warehouse)).toEqual([
    { a: '1', b: '2' },
    { a: '3', b: '4' },
    { a: '5', b: '6' },
  ]);
  expect(chunked.calls().at(-1)?.path).toBe('/api/2.0/sql/statements/s/result/chunks/2');
  expect(await read((await world([done({ result: {} })])).warehouse)).toEqual([]);
  expect(await read((await world([done({})])).warehouse)).toEqual([]);
});

test.each([
  [
    'FAILED',
    { error_code: 'BAD_REQUEST', message: '[TABLE_OR_VIEW_NOT_FOUND] usage' },
    /failed: \[TABLE_OR_VIEW_NOT_FOUND\]/,
  ],
  ['CANCELED', undefined, /was cancelled/],
  ['CLOSED', undefined, /was closed before its answer was read/],
])('a statement that ends as %s, in an answer of 200, is an error', async (state, error, words) => {
  const { warehouse } = await world([at(state, error)]);
  await expect(read(warehouse)).rejects.toThrow(words);
});

test('one that takes too long is cancelled, and says that asking again may help', async () => {
  const { warehouse, calls } = await world([at('PENDING')]);
  await expect(read(warehouse)).rejects.toThrow(/the statement is PENDING.+ask again/);
  expect(calls().at(-1)).toMatchObject({ method: 'POST', path: '/api/2.0/sql/statements/s/cancel' });
});

test('a result that was cut off is no result', async () => {
  const { warehouse } = await world([
    done({ manifest: { ...COLUMNS, truncated: true }, result: { data_array: [['1', '2']] } }),
  ]);
  await expect(read(warehouse)).rejects.toThrow(/cut off/);
});
