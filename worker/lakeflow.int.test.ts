import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EXAMPLE_JOB } from '@/e2e/workspace/example-job';
import { BUNDLE_FOLDER } from '@/e2e/workspace/job-command';
import { startWorkspace, type Workspace } from '@/e2e/workspace/workspace';
import { createVolumeFiles } from '@/lib/databricks/volume-files';
import { createWorkspaceClient, type WorkspaceClient } from '@/lib/databricks/workspace-client';
import { createVolumeDocumentStore } from '@/lib/platform/document-store/databricks';
import { cancelTask } from '@/lib/queue/cancel';
import { exitOf } from '@/test/exit-of';
import { until } from '@/test/until';
import { createWorkerFixture, type WorkerFixture } from '@/test/worker-fixture';

const REPORTING_JOB = fileURLToPath(new URL('../test/fixtures/reporting_job.py', import.meta.url));
const [TASK] = EXAMPLE_JOB.tasks;
if (!TASK) throw new Error('the example job has no task');
const JOB: typeof EXAMPLE_JOB = {
  ...EXAMPLE_JOB,
  max_concurrent_runs: 8,
  tasks: [
    { ...TASK, spark_python_task: { ...TASK.spark_python_task, python_file: `${BUNDLE_FOLDER}/report.py` } },
  ],
};

let workspace: Workspace;
let world: WorkerFixture;
let client: WorkspaceClient;
let drafts: string;
beforeEach(async () => {
  workspace = await startWorkspace({ job: JOB, bundle: { 'report.py': REPORTING_JOB }, parallel: 8 });
  const { host, clientId, clientSecret, volume } = workspace;
  client = createWorkspaceClient({ host, clientId, clientSecret, log: { warn() {}, debug() {} } });
  drafts = await mkdtemp(path.join(os.tmpdir(), 'tickmark-drafts-'));
  const store = createVolumeDocumentStore({ files: createVolumeFiles(client, volume), volume, drafts });
  world = await createWorkerFixture({
    store,
    environment: { ...workspace.env(), TICKMARK_PLATFORM: 'databricks' },
  });
});
afterEach(async () => {
  await world.close();
  await client.close();
  await workspace.stop();
  await rm(drafts, { recursive: true });
});

const allFinal = async () => {
  const areFinal = async () =>
    (await world.tasks()).every(({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
  await expect.poll(areFinal, { timeout: 110_000, interval: 100 }).toBe(true);
  return world.tasks();
};
const go = () => writeFile(path.join(workspace.mount, workspace.volume.slice('/Volumes/'.length), 'go'), '');
const RUN_NOW = '/api/2.2/jobs/run-now';
const begun = () => [...workspace.jobs.begun.values()];

test('without any callback, and with a workspace that fails now and then, each document completes once', async () => {
  const { faults } = workspace;
  workspace.settings.tokenSeconds = 5;
  faults.add({ kind: 'lost', path: RUN_NOW, times: 2, after: 1 });
  faults.add({ kind: 'status', status: 503, path: RUN_NOW, times: 2 });
  faults.add({ kind: 'status', status: 429, path: RUN_NOW, times: 2, headers: { 'retry-after': '1' } });
  faults.add({ kind: 'reset', path: '/api/2.0/fs/files', times: 3, after: 10 });
  faults.add({ kind: 'status', status: 500, path: '/api/2.2/jobs/runs/get', times: 3 });
  await world.upload(...Array.from({ length: 8 }, (_, n) => `document ${n}`));
  world.startWorker();
  const tasks = await allFinal();
  expect(tasks.map(({ status, attempt_count }) => [status, attempt_count])).toEqual(
    Array(8).fill(['completed', 1]),
  );
  expect(begun()).toEqual(Array(8).fill(1));
  for (const { id } of tasks) {
    const attempts = await world.attempts(id);
    expect(attempts.map(({ status }) => status)).toEqual(['succeeded']);
    expect(workspace.jobs.runs.has(BigInt(attempts[0]?.run_id ?? '0'))).toBe(true);
  }
  expect(await readdir(path.join(world.home, 'incoming')).catch(() => [])).toEqual([]);
});

test('a worker that goes leaves its runs to Lakeflow, and the next one takes up their reports', async () => {
  await world.upload('wait', 'wait');
  const first = world.startWorker();
  await until('two runs under way', () => begun().length === 2);
  first.send({ type: 'shutdown', stopRuns: true });
  await exitOf(first);
  expect([...workspace.jobs.runs.values()].map(({ state }) => state)).toEqual(['RUNNING', 'RUNNING']);
  await go();
  world.startWorker();
  expect((await allFinal()).map(({ status }) => status)).toEqual(['completed', 'completed']);
  expect(begun()).toEqual([1, 1]);
});

test.each([
  [
    'without the grant on the job',
    () => workspace.app.grants.delete('job:CAN_MANAGE_RUN'),
    /Grant its service principal CAN MANAGE RUN on the job/,
  ],
  [
    'with a job that is deployed wrongly',
    () =>
      workspace.faults.add({
        kind: 'status',
        status: 400,
        errorCode: 'INVALID_PARAMETER_VALUE',
        path: RUN_NOW,
      }),
    /Deploy the job again/,
  ],
] as const)(
  '%s documents wait, fail by nothing, and go on once that is mended',
  async (_title, spoil, told) => {
    spoil();
    const [taskId = ''] = await world.upload('one');
    world.startWorker();
    const goOn = async () => {
      await world.db.$client.query('update tickmark.agents set cooling_until = null');
      await world.db.$client.query('update tickmark.tasks set available_at = now()');
    };
    // More often than a document may fail.
    for (let refusals = 1; refusals <= 4; refusals += 1) {
      if (refusals > 1) await goOn();
      await until('a refusal', async () => {
        const attempts = await world.attempts(taskId);
        return attempts.filter(({ status }) => status === 'snoozed').length === refusals;
      });
      expect(await world.tasks()).toMatchObject([{ id: taskId, status: 'enqueued', attempt_count: 0 }]);
    }
    const { rows } = await world.db.$client.query(
      "select lowered_reason from tickmark.agents where id = 'invoice'",
    );
    expect(rows[0]?.lowered_reason).toMatch(told);
    workspace.app.grants.add('job:CAN_MANAGE_RUN');
    workspace.faults.clear();
    await goOn();
    expect(await allFinal()).toMatchObject([{ status: 'completed', attempt_count: 1 }]);
  },
);

test('a cancelled task ends when its run has stopped, not before', async () => {
  const [taskId = ''] = await world.upload('wait');
  world.startWorker();
  await until('a run under way', () => begun().length === 1);
  await cancelTask(world.db, { taskId, actor: 'user:test' });
  expect(await allFinal()).toMatchObject([{ status: 'cancelled', attempt_count: 1 }]);
  expect([...workspace.jobs.runs.values()].map(({ termination }) => termination?.code)).toEqual([
    'USER_CANCELED',
  ]);
});
