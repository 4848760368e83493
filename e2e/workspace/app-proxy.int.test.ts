import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AppProxy } from './app-proxy';
import { createCaller } from './caller';
import { startWorkspace, type Workspace } from './workspace';

let workspace: Workspace;
let proxy: AppProxy;
let caller: ReturnType<typeof createCaller>;
let usual: AppProxy['settings'];
/** An app that says which headers it saw; `/events` streams, `/silent` never answers. */
const app = createServer((incoming, outgoing) => {
  if (incoming.url === '/silent') return;
  if (incoming.url === '/events') {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    return;
  }
  outgoing.end(JSON.stringify({ headers: incoming.headers }));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  workspace = await startWorkspace({ appPort: (app.address() as AddressInfo).port });
  workspace.identities.addUser('ada@example.com', 'Ada', ['tickmark-admin']);
  workspace.identities.addUser('guest@example.com', 'Guest', [], []);
  if (!workspace.proxy) throw new Error('no proxy');
  proxy = workspace.proxy;
  usual = { ...proxy.settings };
  caller = createCaller(workspace);
});
beforeEach(() => Object.assign(proxy.settings, usual));
afterAll(async () => {
  await workspace.stop();
  app.closeAllConnections();
  app.close();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(proxy.url + path, { headers, redirect: 'manual' });
const seen = async (answer: Response) => ((await answer.json()) as { headers: IncomingHttpHeaders }).headers;

/** The cookie of a person who came by the workspace's sign-in. */
async function signIn(email: string): Promise<string> {
  const sent = new URL((await get('/tasks?x=1')).headers.get('location') ?? '');
  sent.searchParams.set('login_hint', email);
  const back = await fetch(sent, { redirect: 'manual' });
  const done = await fetch(back.headers.get('location') ?? '', { redirect: 'manual' });
  expect(done.headers.get('location')).toBe('/tasks?x=1');
  return (done.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

test('nobody is anonymous: a stranger is sent to the sign-in, comes back, and the app learns who it is', async () => {
  const stranger = await get('/');
  expect([stranger.status, stranger.headers.get('location')]).toEqual([
    302,
    expect.stringContaining(`${workspace.host}/oidc/v1/authorize?`),
  ]);
  const cookie = await signIn('ada@example.com');
  const headers = await seen(await get('/', { cookie: `${cookie}; own=1` }));
  expect(headers).toMatchObject({
    'x-forwarded-email': 'ada@example.com',
    'x-forwarded-preferred-username': 'Ada',
    'x-forwarded-user': expect.stringMatching(/^\d+@\d+$/),
    'x-forwarded-host': new URL(proxy.url).host,
    cookie: 'own=1',
  });
  expect(headers['x-forwarded-access-token']).toBeUndefined();
});

test('headers that a caller forges do not reach the app', async () => {
  const forged = {
    'x-forwarded-email': 'root@example.com',
    'x-forwarded-user': '1@1',
    'x-forwarded-access-token': 'x',
    'x-forwarded-anything': 'x',
  };
  const cookie = await signIn('ada@example.com');
  const person = await seen(await get('/', { ...forged, cookie }));
  expect(person['x-forwarded-email']).toBe('ada@example.com');
  expect(JSON.stringify(person)).not.toMatch(/root@|"x-forwarded-anything"|access-token/);
  const machine = await seen(await get('/api/x', { ...forged, authorization: await caller.bearer() }));
  expect(machine['x-forwarded-email']).toBeUndefined();
  expect(machine['x-forwarded-user']).toContain(workspace.app.id);
});

test('an OAuth token counts under /api/ and nowhere else; a personal token is sent to the sign-in', async () => {
  const authorization = await caller.bearer();
  const inside = await get('/api/v1/tasks', { authorization });
  expect(inside.status).toBe(200);
  expect((await seen(inside)).authorization).toBeUndefined();
  expect((await get('/tasks', { authorization })).status).toBe(302);
  const pat = workspace.identities.issue(workspace.app, 'pat', ['all-apis'], 60);
  expect((await get('/api/v1/tasks', { authorization: `Bearer ${pat.value}` })).status).toBe(302);
  proxy.settings.refuseMachines = true;
  expect((await get('/api/v1/tasks', { authorization })).status).toBe(302);
});

test('whoever has no permission for the app is kept out', async () => {
  const cookie = await signIn('guest@example.com');
  expect((await get('/', { cookie })).status).toBe(403);
});

test('headers that the proxy does not know are dropped on demand', async () => {
  const authorization = await caller.bearer();
  const sent = { authorization, 'webhook-id': 'x' };
  expect((await seen(await get('/api/x', sent)))['webhook-id']).toBe('x');
  proxy.settings.dropUnknownHeaders = true;
  expect((await seen(await get('/api/x', sent)))['webhook-id']).toBeUndefined();
});

test('a request that takes too long is answered with 504, a stream is cut without a word, no app is 502', async () => {
  const cookie = await signIn('ada@example.com');
  proxy.settings.requestMs = 50;
  expect((await get('/silent', { cookie })).status).toBe(504);
  proxy.settings.requestMs = 120_000;
  proxy.settings.streamMs = 300;
  const stream = await get('/events', { cookie });
  await expect(stream.text()).rejects.toThrow();
  proxy.settings.appPort = 1;
  expect((await get('/', { cookie })).status).toBe(502);
});

test('a stream may come in bundles', async () => {
  const cookie = await signIn('ada@example.com');
  proxy.settings.bufferMs = 20;
  const stream = await get('/events', { cookie });
  const chunk = await stream.body?.getReader().read();
  expect(new TextDecoder().decode(chunk?.value)).toBe('data: 1\n\n');
});
