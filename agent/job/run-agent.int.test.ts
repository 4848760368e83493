import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bundleOptions, ENTRIES } from '@/bin/build-bundles.mjs';
import { packAgent } from '@/bin/pack-agent.mjs';
import { InvoiceFields } from '@/lib/contract/fields';
import type { RunInput } from '@/lib/contract/run-input';
import { verifyDelivery } from '@/lib/contract/signature';
import { JOB_CLIENT, type JobPlatform, startJobPlatform } from '@/test/job-platform';
import { jobEnvironment, newJobRun, VOLUME } from '@/test/job-run';
import { textPdf } from '@/test/pdf';
import { FAKE_CHILD } from '@/test/run-fixture';
import { until } from '@/test/until';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LAUNCHER = path.join(ROOT, 'agent/job/run_agent.py');
const KEY = 'c'.repeat(64);

/** Bundles of the real agent, and beside the job's entry a stand-in child that behaves as it is told. */
let realAgent: string;
let fakeAgent: string;
let folder: string;
let platform: JobPlatform;
let started: ChildProcess[];

beforeAll(async () => {
  // Inside the repository, so that packages resolve.
  const cache = path.join(ROOT, 'node_modules/.cache/tickmark-test');
  await mkdir(cache, { recursive: true });
  [realAgent, fakeAgent] = await Promise.all([mkdtemp(`${cache}/job-`), mkdtemp(`${cache}/job-`)]);
  const entryPoints = { 'agent-job': ENTRIES['agent-job'] ?? '', agent: ENTRIES.agent ?? '' };
  await build({ ...bundleOptions(realAgent), entryPoints });
  await cp(path.join(realAgent, 'agent-job.mjs'), path.join(fakeAgent, 'agent-job.mjs'));
  await writeFile(
    path.join(fakeAgent, 'agent.mjs'),
    `process.chdir(process.env.TMPDIR); await import(${JSON.stringify(FAKE_CHILD)});`,
  );
});
afterAll(() => Promise.all([realAgent, fakeAgent].map((made) => rm(made, { recursive: true, force: true }))));
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tickmark-job-'));
  platform = await startJobPlatform(KEY);
  started = [];
});
afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await platform.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

const newRun = (document: Buffer, change: Partial<RunInput> = {}, filename = 'x.pdf') =>
  newJobRun({ folder, platform, key: KEY }, document, change, filename);

/** Starts the task of the job as the platform does; Python is needed on this machine (CONTRIBUTING.md). */
function launch(agent: string, args: readonly string[]) {
  const child = spawn('python3', [LAUNCHER, ...args, '--agent', agent], {
    env: jobEnvironment(folder, platform),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return { child, ended };
}

const none = { value: null, line: null, quote: null, confidence: 0 };
const ANSWER = {
  ...Object.fromEntries(Object.keys(InvoiceFields.shape).map((name) => [name, none])),
  grand_total: { value: '12.50', line: '1:1', quote: 'Total 12.50', confidence: 1 },
};
const page = () => textPdf([{ texts: [{ text: 'Total 12.50', x: 50, y: 50 }] }]);

test('a run in a job reads the Volume, asks the model with its own token and calls back in an envelope', async () => {
  platform.modelAnswer = ANSWER;
  const run = await newRun(await page());
  const { code, output } = await launch(realAgent, ['--input', run.input, '--run-id', '9007199254740993'])
    .ended;
  expect(code, output).toBe(0);
  const final = platform.callbacks.at(-1);
  expect(final).toMatchObject({
    signature: 'ok',
    authorization: expect.stringMatching(/^Bearer token-/),
    callback: {
      type: 'attempt.succeeded',
      attemptId: run.attemptId,
      runId: '9007199254740993',
      usage: { model: 'stand-in', inputTokens: 70, outputTokens: 7 },
      result: { documentType: 'invoice' },
    },
  });
  expect(platform.modelAuthorizations).toEqual([expect.stringMatching(/^Bearer token-/)]);
  // The outbox is the same delivery: the reconciler may apply it at any time without a second effect.
  const outbox = await run.outbox();
  expect(outbox && verifyDelivery(KEY, outbox.webhook, outbox.payload, true)).toBe('ok');
  expect(outbox?.webhook.id).toBe(final?.webhookId);
  expect(output).not.toContain(JOB_CLIENT.secret);
  expect(output).not.toContain(KEY);
});

test('where the proxy refuses callbacks, the answer waits in the outbox and the run has succeeded', async () => {
  platform.app = 'signIn';
  const run = await newRun(Buffer.from('x'), {}, 'succeed');
  const { code, output } = await launch(fakeAgent, ['--input', run.input]).ended;
  expect(code, output).toBe(0);
  expect(JSON.parse((await run.outbox())?.payload ?? '{}')).toMatchObject({
    type: 'attempt.succeeded',
    runId: null,
  });
  expect(output).toContain('host.left_in_outbox');
});

test('a run that the platform starts anew sends the answer it has, and works no second time', async () => {
  const run = await newRun(Buffer.from('x'), {}, 'succeed');
  await launch(fakeAgent, ['--input', run.input]).ended;
  const { code } = await launch(realAgent, ['--input', run.input]).ended;
  expect(code).toBe(0);
  const [first, second] = platform.callbacks;
  expect(second).toMatchObject({ webhookId: first?.webhookId, callback: first?.callback, signature: 'ok' });
  expect(platform.modelAuthorizations).toEqual([]);
});

test('a document that cannot be read from the Volume is told as a failure that another attempt may mend', async () => {
  const run = await newRun(Buffer.from('x'), {
    document: { path: `${VOLUME}/documents/gone`, filename: 'x', sizeBytes: 1, pageCount: 1 },
  });
  expect((await launch(realAgent, ['--input', run.input]).ended).code).toBe(0);
  expect(platform.callbacks.at(-1)?.callback).toMatchObject({
    type: 'attempt.failed',
    error: { code: 'internal', retryable: true, message: expect.stringContaining('READ VOLUME') },
  });
});

test.each([
  '/Volumes/main/tickmark/files/../../../../etc/passwd',
  '/etc/passwd',
  '/Volumes/main/tickmark/files/none',
])('an input that is none (%s) ends the run with an exit code of its own', async (input) => {
  const { code, output } = await launch(realAgent, ['--input', input]).ended;
  expect(code).toBe(78);
  expect(output).toContain('job.bad_input');
});

const whenWorking = () => until('a progress report', async () => platform.callbacks.length > 0);

test('a cancelled run ends with all that it started, and leaves no answer', async () => {
  const run = await newRun(Buffer.from('x'), {}, 'progressThenHang');
  const { child, ended } = launch(fakeAgent, ['--input', run.input]);
  await whenWorking();
  child.kill('SIGTERM');
  expect((await ended).code).toBe(143);
  expect(await run.outbox()).toBeNull();
});

test('a launcher that is killed outright takes the agent along', async () => {
  const run = await newRun(Buffer.from('x'), {}, 'progressThenHang');
  const { child, ended } = launch(fakeAgent, ['--input', run.input]);
  await whenWorking();
  child.kill('SIGKILL');
  // Its output is closed only when the agent, which writes to it, is gone too.
  await ended;
  expect(await run.outbox()).toBeNull();
});

test('the answer stop ends a run in a job', async () => {
  platform.app = { status: 200, body: { outcome: 'recorded', stop: true } };
  const run = await newRun(Buffer.from('x'), {}, 'progressThenHang');
  const { code } = await launch(fakeAgent, ['--input', run.input]).ended;
  expect(code).toBe(0);
  expect(await run.outbox()).toBeNull();
});

test('B39: a document that wants too much memory ends as resource_limit in a job as well', async () => {
  const limits = { maxRunSeconds: 120, maxMemoryMb: 400, maxPages: 10 };
  const run = await newRun(Buffer.from('x'), { limits }, 'memory');
  expect((await launch(fakeAgent, ['--input', run.input]).ended).code).toBe(0);
  expect(platform.callbacks.at(-1)?.callback).toMatchObject({ error: { code: 'resource_limit' } });
});

test('the token of the run goes to its workspace and its app alone', async () => {
  platform.modelAnswer = ANSWER;
  const elsewhere = await startJobPlatform(KEY);
  try {
    const model = {
      baseUrl: `${elsewhere.origin}/serving-endpoints`,
      apiKey: null,
      name: 'x',
      auth: 'run',
    } as const;
    const run = await newRun(await page(), { model, callback: { url: elsewhere.callbackUrl, key: KEY } });
    const { output } = await launch(realAgent, ['--input', run.input]).ended;
    expect(elsewhere.modelAuthorizations).toEqual([]);
    expect(elsewhere.callbacks).toEqual([]);
    expect(output).toContain('job.token_for_another_host');
    expect(output).toContain('job.callback_to_another_host');
    expect(JSON.parse((await run.outbox())?.payload ?? '{}')).toMatchObject({
      type: 'attempt.failed',
      error: { code: 'model_unavailable' },
    });
  } finally {
    await elsewhere.close();
  }
});

test('what reads the document sees neither the run’s identity nor the callback’s key', async () => {
  const seen = path.join(folder, 'seen.json');
  const spy = await mkdtemp(path.join(path.dirname(fakeAgent), 'job-'));
  await cp(path.join(fakeAgent, 'agent-job.mjs'), path.join(spy, 'agent-job.mjs'));
  await writeFile(
    path.join(spy, 'agent.mjs'),
    `import fs from 'node:fs';
     fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ env: process.env, input: fs.readFileSync(process.argv[2], 'utf8') }));`,
  );
  const run = await newRun(Buffer.from('x'));
  await launch(spy, ['--input', run.input]).ended;
  await rm(spy, { recursive: true, force: true });
  const content = await readFile(seen, 'utf8');
  expect(content).toContain(run.attemptId);
  for (const secret of [JOB_CLIENT.id, JOB_CLIENT.secret, KEY]) expect(content).not.toContain(secret);
});

test('the launcher finds the agent beside it also where the platform runs it without saying where it is', async () => {
  const launcher = path.join(folder, 'files/agent/job/run_agent.py');
  await mkdir(path.dirname(launcher), { recursive: true });
  await mkdir(path.join(folder, 'files/dist'));
  await cp(LAUNCHER, launcher);
  await writeFile(
    path.join(folder, 'files/dist/agent-job.mjs'),
    "process.stdout.write('found'); process.exitCode = 7;",
  );
  // As IPython and the like do it: compiled under its name, and no __file__ set.
  const run = `import sys; p = ${JSON.stringify(launcher)}; sys.argv = [p, '--input', '/Volumes/a/b/c/d']; exec(compile(open(p).read(), p, 'exec'), {'__name__': '__main__'})`;
  const { status, stdout } = spawnSync('python3', ['-c', run], {
    env: { NODE_ENV: 'test', PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 7, stdout: 'found' });
});

// Packing alone takes half a minute, and more on a busy machine.
test('the packed agent reads a scan with nothing but what it brings along, in files that a workspace takes', async () => {
  platform.modelAnswer = ANSWER;
  const parts = await packAgent(path.join(folder, 'packed'));
  for (const part of parts) expect((await stat(part)).size).toBeLessThanOrEqual(10_485_760);
  const run = await newRun(await readFile(path.join(ROOT, 'public/samples/scanned-invoice.pdf')));
  const { code, output } = await launch(path.join(folder, 'packed'), ['--input', run.input]).ended;
  expect(code, output).toBe(0);
  expect(platform.callbacks.at(-1)?.callback.type, output).toBe('attempt.succeeded');
}, 600_000);
