import { readdir, readFile, stat } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCaller } from './caller';
import { ALL_GRANTS } from './identities';
import { startWorkspace, type Workspace } from './workspace';

const VOLUME = '/Volumes/main/tickmark/files';
const FILES = `/api/2.0/fs/files${VOLUME}`;
const FOLDERS = `/api/2.0/fs/directories${VOLUME}`;

let workspace: Workspace;
let caller: ReturnType<typeof createCaller>;
let authorization: string;
beforeAll(async () => {
  workspace = await startWorkspace();
  caller = createCaller(workspace);
  authorization = await caller.bearer();
});
beforeEach(() => {
  for (const grant of ALL_GRANTS) workspace.app.grants.add(grant);
});
afterAll(() => workspace.stop());

const send = (method: string, address: string, init: RequestInit = {}) =>
  fetch(workspace.host + address, { ...init, method, headers: { authorization, ...init.headers } });

test('a file is the same through the API and through the mount of a job', async () => {
  await send('PUT', `${FOLDERS}/a/b`);
  expect((await send('PUT', `${FILES}/a/b/x%20%C3%BC.pdf`, { body: 'hello' })).status).toBe(204);
  expect(await readFile(path.join(workspace.mount, 'main/tickmark/files/a/b/x ü.pdf'), 'utf8')).toBe('hello');
  const whole = await send('GET', `${FILES}/a/b/x%20%C3%BC.pdf`);
  expect([whole.status, whole.headers.get('content-length'), await whole.text()]).toEqual([
    200,
    '5',
    'hello',
  ]);
  const head = await send('HEAD', `${FILES}/a/b/x%20%C3%BC.pdf`);
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', '']);
  const part = await send('GET', `${FILES}/a/b/x%20%C3%BC.pdf`, { headers: { range: 'bytes=1-3' } });
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    'bytes 1-3/5',
    'ell',
  ]);
  const beyond = await send('GET', `${FILES}/a/b/x%20%C3%BC.pdf`, { headers: { range: 'bytes=5-9' } });
  expect(beyond.status).toBe(416);
  expect((await send('DELETE', `${FILES}/a/b/x%20%C3%BC.pdf`)).status).toBe(204);
  expect((await send('GET', `${FILES}/a/b/x%20%C3%BC.pdf`)).status).toBe(404);
});

test('without overwrite a PUT replaces, with overwrite=false it refuses, and other words are wrong', async () => {
  await send('PUT', `${FILES}/again`, { body: 'first' });
  expect((await send('PUT', `${FILES}/again`, { body: 'second' })).status).toBe(204);
  expect((await send('PUT', `${FILES}/again?overwrite=false`, { body: 'third' })).status).toBe(409);
  expect((await send('PUT', `${FILES}/again?overwrite=no`, { body: 'third' })).status).toBe(400);
  expect(await (await send('GET', `${FILES}/again`)).text()).toBe('second');
});

test('a file needs its folder, and a folder to be removed has to be empty', async () => {
  expect((await send('PUT', `${FILES}/missing/x`, { body: 'x' })).status).toBe(404);
  await send('PUT', `${FOLDERS}/full`);
  await send('PUT', `${FOLDERS}/full`);
  await send('PUT', `${FILES}/full/x`, { body: 'x' });
  expect((await send('PUT', `${FOLDERS}/full/x`)).status).toBe(409);
  expect((await send('DELETE', `${FOLDERS}/full`)).status).toBe(400);
  await send('DELETE', `${FILES}/full/x`);
  expect((await send('DELETE', `${FOLDERS}/full`)).status).toBe(204);
  expect((await send('HEAD', `${FOLDERS}/full`)).status).toBe(404);
  expect((await send('GET', `${FOLDERS}/full`)).status).toBe(404);
});

test('a listing ends with the page that has no token, not with a short one', async () => {
  await send('PUT', `${FOLDERS}/many`);
  for (let n = 0; n < 50; n += 1)
    await send('PUT', `${FILES}/many/${String(n).padStart(3, '0')}`, { body: 'x' });
  const names: string[] = [];
  const sizes: number[] = [];
  let token: string | undefined;
  do {
    const query = new URLSearchParams({ page_size: '1000', ...(token ? { page_token: token } : {}) });
    const page = (await (await send('GET', `${FOLDERS}/many?${query}`)).json()) as {
      contents: { name: string; is_directory: boolean; file_size: number }[];
      next_page_token?: string;
    };
    names.push(...page.contents.map(({ name }) => name));
    sizes.push(page.contents.length);
    token = page.next_page_token;
  } while (token);
  expect([names.length, sizes.length, sizes[0]]).toEqual([50, 2, 37]);
});

test.each([
  ['READ_VOLUME', 'GET', 403],
  ['READ_VOLUME', 'PUT', 403],
  ['WRITE_VOLUME', 'GET', 404],
  ['WRITE_VOLUME', 'PUT', 403],
  ['WRITE_VOLUME', 'DELETE', 403],
] as const)('without %s a %s answers %i', async (grant, method, status) => {
  workspace.app.grants.delete(`volume:${grant}`);
  const answer = await send(method, `${FILES}/none`, method === 'PUT' ? { body: 'x' } : {});
  expect(answer.status).toBe(status);
});

test('another volume is refused before anybody learns whether it is there, and dots lead nowhere', async () => {
  expect((await send('GET', '/api/2.0/fs/files/Volumes/main/other/files/x')).status).toBe(403);
  expect((await send('GET', `${FILES}2/x`)).status).toBe(403);
  const { port } = new URL(workspace.host);
  const raw = (address: string) =>
    new Promise((resolve, reject) => {
      const headers = { authorization, host: `127.0.0.1:${port}` };
      http
        .get({ port, host: '127.0.0.1', path: address, headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', reject);
    });
  expect(await raw(`${FILES}/../../x`)).toBe(400);
  expect(await raw(`${FILES}/%2e%2e/x`)).toBe(400);
  expect(await raw(`${FILES}/a%00b`)).toBe(400);
  expect(await raw(`${FILES}/100%`)).toBe(400);
});

test('a sender that goes away leaves nothing, or what had arrived where uploads are torn', async () => {
  const onDisk = path.join(workspace.mount, 'main/tickmark/files/torn');
  const cut = async (arriving: () => Promise<boolean>) => {
    const { port } = new URL(workspace.host);
    const headers = { authorization, host: `127.0.0.1:${port}`, 'content-length': 1_000_000 };
    const request = http.request({ port, host: '127.0.0.1', method: 'PUT', path: `${FILES}/torn`, headers });
    request.on('error', () => undefined);
    request.write(Buffer.alloc(200_000, 1));
    await expect.poll(arriving, { timeout: 30_000 }).toBe(true);
    request.destroy();
  };
  const drafts = async () => (await readdir(workspace.mount)).filter((name) => name.startsWith('.upload-'));
  await cut(async () => (await drafts()).length > 0);
  await expect.poll(drafts, { timeout: 30_000 }).toEqual([]);
  expect((await send('HEAD', `${FILES}/torn`)).status).toBe(404);
  workspace.settings.tornUploads = true;
  await cut(async () => ((await stat(onDisk).catch(() => null))?.size ?? 0) > 0);
  expect((await send('HEAD', `${FILES}/torn`)).status).toBe(200);
  workspace.settings.tornUploads = false;
});
