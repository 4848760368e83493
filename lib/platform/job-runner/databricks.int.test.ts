import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EXAMPLE_JOB, exampleBundle } from '@/e2e/workspace/example-job';
import { startWorkspace, type Workspace } from '@/e2e/workspace/workspace';
import { type CallClock, realClock } from '@/lib/databricks/call-clock';
import { createLakeflowJob } from '@/lib/databricks/jobs';
import { createWorkspaceClient, type WorkspaceClient } from '@/lib/databricks/workspace-client';
import { jumpingClock } from '@/test/call-clock';
import { jobRunnerConformance } from './conformance';
import { createLakeflowRunner } from './databricks';
import type { JobRunner, RunRequest } from './port';

const ENVIRONMENT = 'tickmark-test';

interface World {
  readonly workspace: Workspace;
  readonly slots: number;
  /** @param environmentId default: that of the requests */
  instance(clock?: CallClock, environmentId?: string): JobRunner;
  prepare(): Promise<RunRequest>;
  release(attemptId: string, how?: string): Promise<void>;
  countBegun(attemptId: string): Promise<number>;
  close(): Promise<void>;
}

let example: Awaited<ReturnType<typeof exampleBundle>>;
beforeAll(async () => {
  example = await exampleBundle();
});
afterAll(() => example.remove());

async function makeWorld(): Promise<World> {
  const workspace = await startWorkspace({ job: EXAMPLE_JOB, bundle: example.bundle, parallel: 100 });
  const { host, clientId, clientSecret, volume, mount, jobs } = workspace;
  const clients: WorkspaceClient[] = [];
  const folderOf = (attemptId: string) => `${volume}/runs/${attemptId}`;
  const onDisk = (folder: string) => path.join(mount, folder.slice('/Volumes/'.length));
  return {
    workspace,
    // It queues by itself.
    slots: Number.POSITIVE_INFINITY,
    instance(clock = realClock, environmentId = ENVIRONMENT) {
      const client = createWorkspaceClient({
        host,
        clientId,
        clientSecret,
        log: { warn() {}, debug() {} },
        clock,
      });
      clients.push(client);
      const job = createLakeflowJob(client, workspace.jobId ?? '');
      return createLakeflowRunner({ job, environmentId, clock });
    },
    async prepare() {
      const attemptId = randomUUID();
      await mkdir(onDisk(folderOf(attemptId)), { recursive: true });
      return {
        attemptId,
        idempotencyToken: `${ENVIRONMENT}:${attemptId}`,
        inputPath: `${folderOf(attemptId)}/input.json`,
        maxRunSeconds: 600,
      };
    },
    release: (attemptId, how = 'well') => writeFile(path.join(onDisk(folderOf(attemptId)), 'end'), how),
    async countBegun(attemptId) {
      const own = [...jobs.runs.values()].filter(({ idempotencyToken }) =>
        idempotencyToken?.endsWith(`:${attemptId}`),
      );
      return own.reduce((sum, run) => sum + (jobs.begun.get(run.id) ?? 0), 0);
    },
    async close() {
      for (const client of clients) await client.close();
      await workspace.stop();
    },
  };
}

jobRunnerConformance('databricks', makeWorld);

let world: World;
let runner: JobRunner;
beforeEach(async () => {
  world = await makeWorld();
  runner = world.instance();
});
afterEach(() => world.close());

const patience = { timeout: 45_000, interval: 50 };
const RUN_NOW = '/api/2.2/jobs/run-now';
const GET_RUN = '/api/2.2/jobs/runs/get';
const stateOf = async (runId: string, of = runner) => (await of.status([runId])).get(runId);
async function started(): Promise<{ request: RunRequest; runId: string }> {
  const request = await world.prepare();
  const outcome = await runner.submit(request);
  if (outcome.kind !== 'submitted') throw new Error(JSON.stringify(outcome));
  return { request, runId: outcome.runId };
}
const runOf = (runId: string) => {
  const run = world.workspace.jobs.runs.get(BigInt(runId));
  if (!run) throw new Error(`no run ${runId}`);
  return run;
};

describe('submitting', () => {
  test('invariant 6: an answer that is lost is asked for with the same token, and there is one run', async () => {
    const { faults, jobs } = world.workspace;
    faults.add({ kind: 'lost', path: RUN_NOW, times: 1 });
    faults.add({ kind: 'half', path: RUN_NOW, times: 1, after: 1 });
    const quick = world.instance(jumpingClock());
    const request = await world.prepare();
    expect(await quick.submit(request)).toMatchObject({ kind: 'submitted' });
    expect(jobs.runs.size).toBe(1);
  });

  test('an id beyond 2^53 keeps every digit from run-now to cancel', async () => {
    const { runId } = await started();
    expect(Number.isSafeInteger(Number(runId))).toBe(false);
    expect(world.workspace.jobs.runs.has(BigInt(runId))).toBe(true);
    await runner.cancel(runId);
    await expect.poll(() => runOf(runId).termination?.code, patience).toBe('USER_CANCELED');
  });

  test('a platform that stays silent or broken leaves the outcome open', async () => {
    world.workspace.faults.add({ kind: 'status', status: 503, path: RUN_NOW });
    await expect(world.instance(jumpingClock()).submit(await world.prepare())).rejects.toMatchObject({
      status: 503,
    });
    world.workspace.faults.clear();
    world.workspace.faults.add({ kind: 'reset', path: RUN_NOW });
    await expect(world.instance(jumpingClock()).submit(await world.prepare())).rejects.toMatchObject({
      status: null,
    });
  });

  test('a 429 that asks for a long wait is full for every worker, and the next submission does not ask again', async () => {
    const { faults } = world.workspace;
    faults.add({
      kind: 'status',
      status: 429,
      errorCode: 'REQUEST_LIMIT_EXCEEDED',
      path: RUN_NOW,
      times: 1,
      headers: { 'retry-after': '60' },
    });
    const quick = world.instance(jumpingClock());
    const full = { kind: 'full', everywhere: true, retryAfterSeconds: 60 };
    expect(await quick.submit(await world.prepare())).toEqual(full);
    expect(await quick.submit(await world.prepare())).toEqual(full);
    expect(world.workspace.jobs.runs.size).toBe(0);
  });

  test('a short 429 is waited out', async () => {
    const { faults } = world.workspace;
    faults.add({ kind: 'status', status: 429, path: RUN_NOW, times: 2, headers: { 'retry-after': '2' } });
    expect(await world.instance(jumpingClock()).submit(await world.prepare())).toMatchObject({
      kind: 'submitted',
    });
  });

  test('without the grant nothing starts and no document fails: it says what to grant', async () => {
    world.workspace.app.grants.delete('job:CAN_MANAGE_RUN');
    const outcome = await runner.submit(await world.prepare());
    expect(outcome).toMatchObject({
      kind: 'full',
      everywhere: true,
      reason: expect.stringMatching(/CAN MANAGE RUN on the job/),
    });
    expect(await runner.freeSlots()).toBeGreaterThan(0);
  });

  test.each([
    [
      'a job deployed wrongly',
      400,
      'INVALID_PARAMETER_VALUE',
      'The cluster key tickmark is unknown.',
      /Deploy the job/,
    ],
    [
      'a parameter that the job has not',
      400,
      'INVALID_PARAMETER_VALUE',
      'Job 7 has no parameter input.',
      /Deploy/,
    ],
    ['a job that was deleted', 400, 'INVALID_PARAMETER_VALUE', 'Job 7 was deleted.', /Deploy the job/],
    ['a job that was deleted', 404, 'RESOURCE_DOES_NOT_EXIST', 'Job 7 does not exist.', /TICKMARK_JOB_ID/],
    ['a feature that is off', 403, 'FEATURE_DISABLED', 'Serverless is off.', /switched off/],
    ['a feature that is off', 400, 'FEATURE_DISABLED', 'Jobs are off.', /switched off/],
    ['a workspace that is moved', 400, 'INVALID_STATE', 'The workspace is moved.', /The workspace is moved/],
    ['a word of tomorrow', 422, 'OF_TOMORROW', 'No idempotency_token is taken today.', /idempotency_token/],
    ['no word at all', 400, undefined, '', /Deploy the job/],
  ] as const)(
    'invariant 6: %s (%i %s) is no document’s fault: all wait, and are told why',
    async (_title, status, errorCode, message, told) => {
      const body = message && JSON.stringify({ error_code: errorCode, message });
      const headers = { 'content-type': 'application/json' };
      world.workspace.faults.add({ kind: 'status', status, path: RUN_NOW, body, headers });
      expect(await runner.submit(await world.prepare())).toMatchObject({
        kind: 'full',
        everywhere: true,
        retryAfterSeconds: 30,
        reason: expect.stringMatching(told),
      });
      expect(world.workspace.jobs.runs.size).toBe(0);
      world.workspace.faults.clear();
      expect(await runner.submit(await world.prepare())).toMatchObject({ kind: 'submitted' });
    },
  );

  test('a token whose run was deleted is refused as a run that is lost, and a too long one at once', async () => {
    const { request, runId } = await started();
    await world.release(request.attemptId);
    await expect.poll(async () => (await stateOf(runId))?.state, patience).toBe('gone');
    world.workspace.jobs.forget(runOf(runId));
    expect(await runner.submit(request)).toMatchObject({ kind: 'refused', code: 'run_lost' });
    const long = { ...request, idempotencyToken: 'x'.repeat(65) };
    expect(await runner.submit(long)).toMatchObject({ kind: 'refused', code: 'internal' });
  });

  test('runs beyond what the job takes at once are queued and alive, and there is no room for more', async () => {
    expect(await world.instance().freeSlots()).toBe(3);
    const runs = [];
    for (let n = 0; n < 5; n += 1) runs.push(await started());
    const states = await runner.status(runs.map(({ runId }) => runId));
    expect([...states.values()].map(({ state }) => state)).toEqual(Array(5).fill('alive'));
    expect(await runner.freeSlots()).toBe(0);
    expect(await world.instance().freeSlots()).toBe(0);
  });
});

describe('watching', () => {
  test('many runs are found by pages of the list, and only what is missing there is asked for by itself', async () => {
    const { jobs, limits } = world.workspace;
    // All at once: our own limits keep the workspace from refusing any.
    const runs = await Promise.all(Array.from({ length: 60 }, started));
    const [over] = runs;
    world.workspace.jobs.cancel(runOf(over?.runId ?? ''));
    await expect.poll(() => runOf(over?.runId ?? '').state, patience).toBe('TERMINATED');
    const asked: string[] = [];
    const take = limits.take;
    limits.take = (call) => {
      asked.push(call);
      take(call);
    };
    const states = await world.instance().status(runs.map(({ runId }) => runId));
    limits.take = take;
    expect(states.get(over?.runId ?? '')?.state).toBe('gone');
    expect([...states.values()].filter(({ state }) => state === 'alive')).toHaveLength(59);
    expect(asked.filter((call) => call === 'runs/list')).toHaveLength(3);
    expect(asked.filter((call) => call === 'runs/get')).toHaveLength(1);
    expect(jobs.runs.size).toBe(60);
    expect(limits.refused.size).toBe(0);
  });

  test('a run that ends with an error says what the agent said, not where to look for it', async () => {
    const { request, runId } = await started();
    await world.release(request.attemptId, 'the page tree has no end');
    await expect.poll(async () => (await stateOf(runId))?.state, patience).toBe('gone');
    expect(await stateOf(runId)).toMatchObject({
      code: 'run_lost',
      retryable: true,
      message: expect.stringMatching(/the page tree has no end.+http/s),
    });
  });

  test.each([
    ['UNAUTHORIZED_ERROR', 'CLIENT_ERROR', { code: 'internal', retryable: false }],
    ['BUDGET_POLICY_LIMIT_EXCEEDED', 'CLIENT_ERROR', { code: 'budget_exceeded', retryable: false }],
    ['CLOUD_FAILURE', 'CLOUD_FAILURE', { code: 'run_lost', retryable: true }],
    ['OF_TOMORROW', 'INTERNAL_ERROR', { code: 'run_lost', retryable: true }],
  ])('a run that ended with %s is gone for its own reason', async (code, type, expected) => {
    const { runId } = await started();
    world.workspace.jobs.end(runOf(runId), {
      code,
      type,
      message: 'as the platform says',
      resultState: 'FAILED',
    });
    const state = await stateOf(runId);
    expect(state).toMatchObject({ state: 'gone', ...expected });
    expect(state).toMatchObject({ message: expect.stringContaining('as the platform says') });
  });

  test('a state that nobody knows yet is a run that goes on', async () => {
    const { runId } = await started();
    await expect.poll(() => runOf(runId).state, patience).toBe('RUNNING');
    Object.assign(runOf(runId), { state: 'REFLECTING' });
    expect((await stateOf(runId))?.state).toBe('alive');
    Object.assign(runOf(runId), { state: 'RUNNING' });
  });

  test.each([400, 404] as const)(
    'a run that is unknown (%i) is gone only when it is said twice, half a minute apart',
    async (status) => {
      world.workspace.settings.unknownRunStatus = status;
      const clock = jumpingClock();
      const later = world.instance(clock);
      const unknown = '1152921504606846977';
      expect((await stateOf(unknown, later))?.state).toBe('unreachable');
      clock.advance(29_000);
      expect((await stateOf(unknown, later))?.state).toBe('unreachable');
      clock.advance(2_000);
      expect(await stateOf(unknown, later)).toMatchObject({ state: 'gone', code: 'run_lost' });
    },
  );

  test.each([
    ['an address that is not served', 404, { errorCode: 'ENDPOINT_NOT_FOUND' }],
    ['a workspace that is moved', 400, { errorCode: 'INVALID_STATE' }],
    ['a caller that is shut out', 400, { errorCode: 'INVALID_PARAMETER_VALUE' }],
    ['a workspace that is missing', 404, { errorCode: 'RESOURCE_DOES_NOT_EXIST' }],
    ['a page of a gateway', 404, { body: '<html><title>Not found</title></html>' }],
    ['no words at all', 404, { body: '' }],
  ] as const)('invariant 1: %s says nothing about a run', async (_title, status, said) => {
    const { runId } = await started();
    world.workspace.faults.add({ kind: 'status', status, path: GET_RUN, ...said });
    const clock = jumpingClock();
    const other = world.instance(clock);
    for (let look = 0; look < 4; look += 1) {
      expect((await stateOf(runId, other))?.state).toBe('unreachable');
      clock.advance(60_000);
    }
  });

  test('invariant 1: a run that the workspace denies, but lists, goes on; and one that ended tells how', async () => {
    const { request, runId } = await started();
    const { faults } = world.workspace;
    const body = JSON.stringify({
      error_code: 'RESOURCE_DOES_NOT_EXIST',
      message: `Run ${runId} does not exist.`,
    });
    const headers = { 'content-type': 'application/json' };
    faults.add({ kind: 'status', status: 404, path: GET_RUN, body, headers });
    const clock = jumpingClock();
    const other = world.instance(clock);
    const begun = new Map([[runId, { after: new Date(Date.now() - 60_000), before: new Date() }]]);
    const look = async () => (await other.status([runId], begun)).get(runId);
    expect((await look())?.state).toBe('alive');
    clock.advance(60_000);
    // Not among those that the list calls active, and not over.
    Object.assign(runOf(runId), { state: 'WAITING' });
    expect((await look())?.state).toBe('alive');
    Object.assign(runOf(runId), { state: 'RUNNING' });
    await world.release(request.attemptId);
    await expect.poll(() => runOf(runId).state, patience).toBe('TERMINATED');
    clock.advance(60_000);
    expect((await look())?.state).toBe('gone');
  });

  test('invariant 1: a run that is denied is not gone while the lists can’t be had', async () => {
    const unknown = '1152921504606846977';
    const { faults } = world.workspace;
    faults.add({
      kind: 'status',
      status: 403,
      errorCode: 'PERMISSION_DENIED',
      path: '/api/2.2/jobs/runs/list',
    });
    const clock = jumpingClock();
    const other = world.instance(clock);
    for (let look = 0; look < 3; look += 1) {
      expect((await stateOf(unknown, other))?.state).toBe('unreachable');
      clock.advance(60_000);
    }
    faults.clear();
    expect((await stateOf(unknown, other))?.state).toBe('unreachable');
    clock.advance(60_000);
    expect((await stateOf(unknown, other))?.state).toBe('gone');
  });

  test('out of reach, forbidden, or of another kind of runner: nothing is taken for dead', async () => {
    const { runId } = await started();
    const { faults, app } = world.workspace;
    faults.add({ kind: 'status', status: 500, path: GET_RUN });
    expect((await stateOf(runId, world.instance(jumpingClock())))?.state).toBe('unreachable');
    faults.clear();
    app.grants.delete('job:CAN_MANAGE_RUN');
    expect((await stateOf(runId))?.state).toBe('unreachable');
    expect((await stateOf('local-7b0ad9de'))?.state).toBe('unreachable');
  });

  test('runs of another environment on the same job are none of ours', async () => {
    const { runId } = await started();
    expect(await world.instance(realClock, 'a-copy').listAlive()).toEqual([]);
    expect((await world.instance().listAlive()).map((run) => run.runId)).toEqual([runId]);
  });
});

test('a cancel is asked for once, and again when it seems to be lost', async () => {
  const { runId } = await started();
  const { faults, jobs } = world.workspace;
  const clock = jumpingClock();
  const other = world.instance(clock);
  faults.add({ kind: 'status', status: 200, body: '{}', path: '/api/2.2/jobs/runs/cancel', times: 1 });
  await other.cancel(runId);
  await other.cancel(runId);
  expect(jobs.runs.get(BigInt(runId))?.termination).toBeNull();
  clock.advance(20_000);
  await other.cancel(runId);
  await expect.poll(() => runOf(runId).termination?.code, patience).toBe('USER_CANCELED');
  await expect(other.cancel('1152921504606846977')).resolves.toBeUndefined();
});
