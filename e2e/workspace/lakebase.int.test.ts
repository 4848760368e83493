import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { SELF_SIGNED } from '@/test/self-signed';
import { createCaller } from './caller';
import type { Lakebase } from './lakebase';
import { startWorkspace, type Workspace } from './workspace';

let workspace: Workspace;
let lakebase: Lakebase;
let caller: ReturnType<typeof createCaller>;
const database = `lakebase_${randomBytes(6).toString('hex')}`;
beforeAll(async () => {
  workspace = await startWorkspace({
    lakebase: { superuserUrl: inject('serverUrl'), database, certificate: SELF_SIGNED },
  });
  if (!workspace.lakebase) throw new Error('no database');
  lakebase = workspace.lakebase;
  caller = createCaller(workspace);
});
afterAll(async () => {
  await workspace.stop();
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  await client.query(`drop database ${database}`);
  await client.query(`drop role "${workspace.clientId}"`);
  await client.end();
});

const ENDPOINT = 'projects/tickmark/branches/production/endpoints/primary';
const mint = (body: object) =>
  caller.call('POST', '/api/2.0/postgres/credentials', { body: JSON.stringify(body) });
const password = async () => (await mint({ endpoint: ENDPOINT })).json.token as string;

async function connected(secret: string, more: pg.ClientConfig = {}): Promise<pg.Client> {
  const { PGPORT, PGDATABASE, PGUSER } = lakebase.env();
  const client = new pg.Client({
    host: '127.0.0.1',
    port: Number(PGPORT),
    database: PGDATABASE,
    user: PGUSER,
    password: secret,
    ssl: { ca: SELF_SIGNED.cert },
    ...more,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

test('a session opens with a token of now and outlives it; the next one needs a new token', async () => {
  const first = await password();
  const session = await connected(first, { application_name: 'front' });
  const one = await session.query("select current_user, current_setting('application_name') as name");
  expect(one.rows).toEqual([{ current_user: workspace.clientId, name: 'front' }]);
  workspace.databaseTokens.revoke();
  expect((await session.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
  await expect(connected(first)).rejects.toMatchObject({ code: '28P01' });
  const again = await connected(await password());
  await again.end();
  lakebase.cut();
  await expect(session.query('select 3')).rejects.toThrow();
});

test('neither the token of the workspace, nor another name, nor a plain connection gets in', async () => {
  const workspaceToken = (await caller.bearer()).slice('Bearer '.length);
  await expect(connected(workspaceToken)).rejects.toMatchObject({ code: '28P01' });
  const secret = await password();
  await expect(connected(secret, { user: 'postgres' })).rejects.toMatchObject({ code: '28P01' });
  await expect(connected(secret, { ssl: false })).rejects.toThrow('Invalid protocol version');
  workspace.settings.databaseTokenSeconds = 0;
  await expect(connected(await password())).rejects.toMatchObject({ code: '28P01' });
  workspace.settings.databaseTokenSeconds = 3600;
});

test('a session listens, cancels and streams like one at the server itself', async () => {
  const client = await connected(await password());
  const heard = new Promise((resolve) => client.once('notification', ({ payload }) => resolve(payload)));
  await client.query('listen front');
  const other = await connected(await password(), { statement_timeout: 60_000 });
  await other.query("select pg_notify('front', 'hello')");
  expect(await heard).toBe('hello');
  const big = await other.query("select repeat('x', 3000000) as text");
  expect(big.rows[0].text).toHaveLength(3_000_000);
  await client.end();
  await other.end();
});

test('the role makes schemas of its own and has no part of public', async () => {
  const client = await connected(await password());
  await client.query('create schema tickmark');
  await client.query('create table tickmark.one (id int)');
  await expect(client.query('create table public.one (id int)')).rejects.toMatchObject({ code: '42501' });
  await client.query('drop schema tickmark cascade');
  await client.end();
});

test.each([
  ['the path of no endpoint', { endpoint: 'tickmark' }, 400],
  ['another endpoint', { endpoint: ENDPOINT.replace('primary', 'other') }, 404],
  ['a life of two hours', { endpoint: ENDPOINT, ttl: '7200s' }, 400],
  [
    'two ways to say how long',
    { endpoint: ENDPOINT, ttl: '600s', expire_time: new Date().toISOString() },
    400,
  ],
  ['the field of the older kind', { instance_names: ['tickmark'] }, 400],
])('no token for %s', async (_title, body, status) => {
  expect((await mint(body)).status).toBe(status);
});

test('a token needs the right to connect and a scope that reaches databases', async () => {
  const auth = await caller.bearer('sql');
  const body = JSON.stringify({ endpoint: ENDPOINT });
  expect((await caller.call('POST', '/api/2.0/postgres/credentials', { auth, body })).status).toBe(403);
  workspace.app.grants.delete('project:CAN_CONNECT_AND_CREATE');
  expect((await mint({ endpoint: ENDPOINT })).status).toBe(403);
  workspace.app.grants.add('project:CAN_CONNECT_AND_CREATE');
});
