import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeStubCheckout, type StubCheckout } from '../test/stub-checkout';
import { processIdentity } from './file-lock.mjs';
import { readInstance } from './supervisor/instance';
import { freePort } from './supervisor/ports';

let checkout: StubCheckout;
let port: string;

beforeEach(async () => {
  checkout = await makeStubCheckout();
  port = String(await freePort());
});
afterEach(() => checkout.remove());

const NAMES = ['app', 'worker', 'model'];
const pids = () => Promise.all(NAMES.map((name) => checkout.pidOf(name)));
const isRunning = (pid: number | undefined) => pid !== undefined && processIdentity(pid) !== null;

/** Waits for what another process does; the test's own time-out is the limit. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20);
}

async function postmasterPid(): Promise<number> {
  const lock = await readFile(path.join(checkout.home, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(lock.split('\n')[0]);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

test('a start prints one line with the URL; SIGTERM ends the worker, then the app, then the rest, and leaves nothing', async () => {
  const running = checkout.start({ PORT: port });
  expect(await running.ready).toBe(`Tickmark is ready: http://127.0.0.1:${port}`);
  const started = [...(await pids()), await postmasterPid()];
  expect(started.every(isRunning)).toBe(true);

  running.process.kill('SIGTERM');
  const end = await running.ended;
  expect(end).toMatchObject({ code: 0, stdout: `Tickmark is ready: http://127.0.0.1:${port}\n` });
  expect(started.filter(isRunning)).toEqual([]);
  expect(await readFile(path.join(checkout.home, 'ended'), 'utf8')).toBe(
    'worker {"type":"shutdown","stopRuns":true}\napp\n',
  );
  expect(await readInstance(checkout.home)).toBeNull();
});

test('a Ctrl-C while it starts stops what there is', async () => {
  const running = checkout.start({ PORT: port });
  await until(async () => (await readInstance(checkout.home))?.databaseUrl != null);
  running.process.kill('SIGINT');
  expect((await running.ended).code).toBe(0);
  expect((await pids()).filter(isRunning)).toEqual([]);
  await expect(postmasterPid()).rejects.toThrow();
});

test('a port that is taken ends the start with exit code 4 and the setting to change', async () => {
  const other = createServer().listen(Number(port), '127.0.0.1');
  await once(other, 'listening');
  const end = await checkout.start({ PORT: port }).ended;
  other.close();
  expect(end).toMatchObject({ code: 4, stdout: '' });
  expect(end.stderr).toMatch(new RegExp(`^PORT: port ${port} on 127.0.0.1 is taken`));
});

test('a data folder that can not be made ends the start with exit code 5 and its name', async () => {
  const file = path.join(path.dirname(checkout.home), 'a-file');
  await writeFile(file, '');
  const end = await checkout.start({ PORT: port, TICKMARK_HOME: path.join(file, 'home') }).ended;
  expect(end.code).toBe(5);
  expect(end.stderr).toMatch(/^TICKMARK_HOME: the data folder .* is a file, not a folder\n$/);
});

test('a wrong setting ends the start with exit code 2 and its name', async () => {
  const end = await checkout.start({ PORT: port, MAX_TPM: 'plenty' }).ended;
  expect(end.code).toBe(2);
  expect(end.stderr).toMatch(/^MAX_TPM: /);
});

test.each([
  ['in the checkout', {}, '.'],
  ['in another folder', { INIT_CWD: true }, 'elsewhere'],
])(
  'a relative TICKMARK_AGENTS_FILE starts from where npm was started, %s, and the worker reads that file',
  async (_, typed, below) => {
    const { folder, home } = checkout;
    const from = path.join(folder, below);
    await mkdir(path.join(from, 'my'), { recursive: true });
    await writeFile(path.join(from, 'my', 'agents.json'), '{"agents":[]}', { mode: 0o644 });
    await checkout.start({
      PORT: port,
      TICKMARK_AGENTS_FILE: 'my/agents.json',
      npm_package_json: path.join(folder, 'package.json'),
      ...('INIT_CWD' in typed ? { INIT_CWD: from } : {}),
    }).ready;
    await until(
      async () => (await readFile(path.join(home, 'worker.agents'), 'utf8').catch(() => '')) !== '',
    );
    expect(await readFile(path.join(home, 'worker.agents'), 'utf8')).toBe('{"agents":[]}');
  },
);

test('a wrong setting the same data folder says where the first one runs and ends with exit code 3', async () => {
  await checkout.start({ PORT: port }).ready;
  const end = await checkout.start({ PORT: String(await freePort()) }).ended;
  expect(end.code).toBe(3);
  expect(end.stderr).toContain(`already running at http://127.0.0.1:${port}`);
});

test('two starts at the same moment: one runs, the other one ends with exit code 3', async () => {
  const both = [checkout.start({ PORT: port }), checkout.start({ PORT: String(await freePort()) })];
  const codes = both.map((one) => one.ended.then(({ code }) => code));
  await Promise.any(both.map((one) => one.ready));
  expect(await Promise.race(codes)).toBe(3);
});

test('kill -9 of the supervisor takes its processes along, and the next start works at once', async () => {
  const first = checkout.start({ PORT: port });
  await first.ready;
  const left = await pids();
  const orphan = await postmasterPid();
  first.process.kill('SIGKILL');

  const next = checkout.start({ PORT: port });
  await next.ready;
  expect(left.filter(isRunning)).toEqual([]);
  expect(isRunning(orphan)).toBe(false);
});

test('M8: the ceilings of the environment are written at each start; unset means none', async () => {
  const first = checkout.start({ PORT: port, MAX_CONCURRENT_TASKS: '2', MAX_TPM: '90000' });
  await first.ready;
  expect(await ceilings()).toEqual({ max_concurrent_tasks: 2, max_tpm: 90000 });
  first.process.kill('SIGTERM');
  await first.ended;
  await checkout.start({ PORT: port }).ready;
  expect(await ceilings()).toEqual({ max_concurrent_tasks: null, max_tpm: null });
});

async function ceilings(): Promise<unknown> {
  const url = (await readInstance(checkout.home))?.databaseUrl ?? '';
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select max_concurrent_tasks, max_tpm from tickmark.settings');
  await client.end();
  return rows[0];
}

test.each(NAMES)('a killed %s is started again', async (name) => {
  await checkout.start({ PORT: port }).ready;
  const killed = await checkout.pidOf(name);
  process.kill(killed ?? 0, 'SIGKILL');
  await until(async () => (await checkout.pidOf(name)) !== killed);
  expect(isRunning(await checkout.pidOf(name))).toBe(true);
});

test('a killed PostgreSQL is started again on the same port', async () => {
  await checkout.start({ PORT: port }).ready;
  const url = (await readInstance(checkout.home))?.databaseUrl ?? '';
  const killed = await postmasterPid();
  process.kill(killed, 'SIGKILL');
  await until(async () => (await postmasterPid().catch(() => killed)) !== killed && (await answers(url)));
  expect(isRunning(await postmasterPid())).toBe(true);
});
