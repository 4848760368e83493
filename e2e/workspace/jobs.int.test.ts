import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCaller } from './caller';
import { EXAMPLE_JOB, exampleBundle } from './example-job';
import { writeJson } from './int64-json';
import { startWorkspace, type Workspace } from './workspace';

let workspace: Workspace;
let caller: ReturnType<typeof createCaller>;
let auth: string;
let job: bigint;
let example: Awaited<ReturnType<typeof exampleBundle>>;
beforeAll(async () => {
  example = await exampleBundle();
  workspace = await startWorkspace({ job: EXAMPLE_JOB, bundle: example.bundle, parallel: 10 });
  caller = createCaller(workspace);
  auth = await caller.bearer();
  job = BigInt(workspace.jobId ?? '');
});
afterAll(async () => {
  await workspace.stop();
  await example.remove();
});

const post = (call: string, body: unknown) =>
  caller.call('POST', `/api/2.2/jobs/${call}`, {
    auth,
    body: typeof body === 'string' ? body : writeJson(body),
  });
const get = (call: string, query: Record<string, string>) =>
  caller.call('GET', `/api/2.2/jobs/${call}?${new URLSearchParams(query)}`, { auth });

let folders = 0;
/** Starts a run with a folder of its own in the volume. */
async function start(more: Record<string, unknown> = {}) {
  folders += 1;
  const folder = `${workspace.volume}/runs/${folders}`;
  const onDisk = path.join(workspace.mount, folder.slice('/Volumes/'.length));
  await mkdir(onDisk, { recursive: true });
  const started = await post('run-now', {
    job_id: job,
    job_parameters: { input: `${folder}/input.json`, attempt: `a-${folders}` },
    ...more,
  });
  return {
    started,
    runId: started.json.run_id as bigint,
    end: (how = 'well') => writeFile(path.join(onDisk, 'end'), how),
    seen: () => readFile(path.join(onDisk, 'seen.json'), 'utf8').then((text) => JSON.parse(text)),
  };
}
const show = async (runId: bigint) =>
  (await get('runs/get', { run_id: String(runId) })).json as unknown as Shown;
const code = async (runId: bigint) =>
  (await show(runId)).status.termination_details?.code ?? (await show(runId)).status.state;
const patience = { timeout: 45_000, interval: 100 };

interface Shown {
  readonly status: {
    readonly state: string;
    readonly queue_details?: { readonly code: string };
    readonly termination_details?: { readonly code: string; readonly type: string; readonly message: string };
  };
  readonly state: { readonly life_cycle_state: string; readonly result_state?: string };
  readonly job_parameters: readonly object[];
  readonly end_time: number;
  readonly tasks: readonly {
    readonly run_id: bigint;
    readonly state: { readonly life_cycle_state: string };
  }[];
}

describe('a run', () => {
  test('is the job’s command with the resolved parameters, in its folder, with an environment of its own', async () => {
    const { started, runId, end, seen } = await start();
    expect(started).toMatchObject({ status: 200, json: { run_id: expect.any(BigInt) } });
    await expect.poll(seen, patience).toBeTruthy();
    const { argv, env, cwd } = await seen();
    expect(argv).toEqual(['--input', `${workspace.volume}/runs/1/input.json`]);
    expect(cwd).toMatch(/bundle$/);
    expect(Object.keys(env)).not.toContain('NODE_ENV');
    expect(JSON.stringify(env)).not.toMatch(/SECRET|PGHOST|DATABASE_URL/);
    expect((await show(runId)).status.state).toBe('RUNNING');
    await end();
    await expect.poll(() => code(runId), patience).toBe('SUCCESS');
    const shown = await show(runId);
    expect(shown.state).toMatchObject({ life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' });
    expect(shown.job_parameters).toContainEqual({ name: 'attempt', default: '', value: 'a-1' });
  });

  test('that fails is INTERNAL_ERROR in the old object, and only its task’s output says why', async () => {
    const { runId, end } = await start();
    await end('the reader broke');
    await expect.poll(() => code(runId), patience).toBe('RUN_EXECUTION_ERROR');
    const { state, status, tasks } = await show(runId);
    expect(state).toMatchObject({ life_cycle_state: 'INTERNAL_ERROR', result_state: 'FAILED' });
    expect(status.termination_details).toMatchObject({
      type: 'CLIENT_ERROR',
      message: expect.stringContaining('see run output'),
    });
    expect(tasks[0]?.state.life_cycle_state).toBe('TERMINATED');
    const output = await get('runs/get-output', { run_id: String(tasks[0]?.run_id) });
    expect(output.json).toMatchObject({ error: expect.stringContaining('the reader broke') });
    expect((await get('runs/get-output', { run_id: String(runId) })).status).toBe(400);
  });

  test('that is cancelled ends with its process, and once more is no error', async () => {
    const { runId, seen } = await start();
    await expect.poll(seen, patience).toBeTruthy();
    expect((await post('runs/cancel', { run_id: runId })).status).toBe(200);
    await expect.poll(() => code(runId), patience).toBe('USER_CANCELED');
    expect((await post('runs/cancel', { run_id: runId })).status).toBe(200);
  });

  test('has an id that a double cannot hold, as a number and never as text', async () => {
    const { started, runId, end } = await start();
    expect(started.text).toMatch(/"run_id":\d{19}\b/);
    expect(BigInt(Number(runId))).not.toBe(runId);
    expect((await post('runs/cancel', `{"run_id":"${runId}"}`)).status).toBe(400);
    expect((await post('runs/cancel', `{"run_id":${Number(runId)}}`)).status).toBe(400);
    await end();
  });
});

describe('run-now', () => {
  test('with the same token any number of times at once is one run', async () => {
    const token = { idempotency_token: 'x'.repeat(64) };
    const [first, ...others] = await Promise.all([start(token), start(token), start(token)]);
    expect(new Set([first, ...others].map(({ runId }) => runId)).size).toBe(1);
    for (const one of [first, ...others]) await one.end();
    await expect.poll(() => code(first.runId), patience).toBe('SUCCESS');
    expect(workspace.jobs.begun.get(first.runId)).toBe(1);
    await post('runs/delete', { run_id: first.runId });
    expect((await start(token)).started).toMatchObject({ status: 400 });
  });

  test('keeps its effect when its answer is lost', async () => {
    workspace.faults.add({ kind: 'lost', path: '/api/2.2/jobs/run-now', times: 1 });
    const before = workspace.jobs.runs.size;
    await expect(start({ idempotency_token: 'lost' })).rejects.toThrow();
    expect(workspace.jobs.runs.size).toBe(before + 1);
    const again = await start({ idempotency_token: 'lost' });
    expect(workspace.jobs.runs.size).toBe(before + 1);
    await post('runs/cancel', { run_id: again.runId });
    await expect.poll(() => code(again.runId), patience).toBe('USER_CANCELED');
  });

  test.each([
    ['a token of 65 characters', { idempotency_token: 'x'.repeat(65) }],
    ['an id as text', { job_id: '1' }],
    ['a parameter that is a number', { job_parameters: { input: 1 } }],
    ['a parameter’s name with a space', { job_parameters: { 'in put': '1' } }],
    ['a parameter that the job does not define', { job_parameters: { payload: '1' } }],
    ['parameters over 10,000 characters', { job_parameters: { input: 'x'.repeat(10_000) } }],
    ['a field that is not one', { parameters: {} }],
    ['the old parameters', { python_params: ['x'] }],
  ])('refuses %s', async (_title, wrong) => {
    const refused = await start(wrong);
    expect(refused.started).toMatchObject({ status: 400, json: { error_code: expect.any(String) } });
  });

  test('refuses a job that is not there, and a caller who may not', async () => {
    expect((await post('run-now', { job_id: job + 1n })).status).toBe(404);
    workspace.app.grants.delete('job:CAN_MANAGE_RUN');
    expect((await post('run-now', { job_id: job + 1n })).status).toBe(403);
    workspace.app.grants.add('job:CAN_MANAGE_RUN');
  });

  test('lets runs wait beyond the job’s limit, and skips them without a queue', async () => {
    const running = [await start(), await start(), await start()];
    const waiting = await start();
    expect((await show(waiting.runId)).status).toMatchObject({
      state: 'QUEUED',
      queue_details: { code: 'MAX_CONCURRENT_RUNS_REACHED' },
    });
    const skipped = await start({ queue: { enabled: false } });
    expect(await show(skipped.runId)).toMatchObject({
      state: { life_cycle_state: 'SKIPPED', result_state: 'MAXIMUM_CONCURRENT_RUNS_REACHED' },
      status: { state: 'TERMINATED', termination_details: { code: 'MAX_CONCURRENT_RUNS_EXCEEDED' } },
    });
    for (const one of [...running, waiting]) await one.end();
    await expect.poll(() => code(waiting.runId), patience).toBe('SUCCESS');
  });
});

test('runs are listed in pages of at most 24, by tokens, and filters hold', async () => {
  const list = (query: Record<string, string>) => get('runs/list', query);
  expect((await list({ limit: '25' })).status).toBe(400);
  expect((await list({ offset: '5' })).status).toBe(400);
  expect((await list({ active_only: 'true', completed_only: 'true' })).status).toBe(400);
  const seen: bigint[] = [];
  let token: string | undefined;
  do {
    const page = await list({ job_id: String(job), limit: '3', ...(token ? { page_token: token } : {}) });
    seen.push(...((page.json.runs ?? []) as { run_id: bigint }[]).map((run) => run.run_id));
    token = page.json.next_page_token as string | undefined;
  } while (token);
  expect(seen.length).toBe(workspace.jobs.runs.size);
  expect(new Set(seen).size).toBe(seen.length);
  const active = await start();
  expect((await list({ active_only: 'true' })).json.runs).toMatchObject([{ run_id: active.runId }]);
  await active.end();
  await expect.poll(() => code(active.runId), patience).toBe('SUCCESS');
  expect((await list({ active_only: 'true' })).json).toEqual({});
});

test('a run that was lost, or forgotten after 60 days, shows as such', async () => {
  const { runId, seen } = await start();
  await expect.poll(seen, patience).toBeTruthy();
  const run = workspace.jobs.runs.get(runId);
  if (!run) throw new Error('no run');
  const lost = { code: 'CLUSTER_ERROR', type: 'CLOUD_FAILURE', message: 'lost', resultState: 'FAILED' };
  workspace.jobs.end(run, lost);
  expect(await code(runId)).toBe('CLUSTER_ERROR');
  workspace.jobs.forget(run);
  expect((await get('runs/get', { run_id: String(runId) })).status).toBe(400);
  workspace.settings.unknownRunStatus = 404;
  expect((await get('runs/get', { run_id: String(runId) })).status).toBe(404);
  workspace.settings.unknownRunStatus = 400;
});

test.each([
  ['no environment for the task', { environments: [] }],
  ['an environment without a version', { environments: [{ environment_key: 'agent', spec: {} }] }],
  ['the old name of the version', { environments: [{ environment_key: 'agent', spec: { client: '1' } }] }],
  ['more than 1,000 runs at once', { max_concurrent_runs: 1001 }],
])('a job with %s is not created', async (_title, wrong) => {
  expect((await post('create', { ...EXAMPLE_JOB, ...wrong })).status).toBe(400);
});
