import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { EXAMPLE_JOB, exampleBundle } from '@/e2e/workspace/example-job';
import { startWorkspace, type Workspace } from '@/e2e/workspace/workspace';
import { realClock } from '@/lib/databricks/call-clock';
import { createLakeflowJob } from '@/lib/databricks/jobs';
import { createWarehouse, type Row } from '@/lib/databricks/statements';
import { createWorkspaceClient, type WorkspaceClient } from '@/lib/databricks/workspace-client';
import { until } from '@/test/until';
import { billingSourceConformance } from './conformance';
import { createSystemTablesSource } from './databricks';
import type { BilledRun } from './port';

let example: Awaited<ReturnType<typeof exampleBundle>>;
beforeAll(async () => {
  example = await exampleBundle();
});
afterAll(() => example.remove());

interface World {
  readonly workspace: Workspace;
  readonly source: ReturnType<typeof createSystemTablesSource>;
  readonly runs: BilledRun[];
  readonly runSeconds: string;
  close(): Promise<void>;
}

/** A workspace in which five runs have ended. */
async function makeWorld(): Promise<World> {
  const workspace = await startWorkspace({ job: EXAMPLE_JOB, bundle: example.bundle, parallel: 10 });
  const { host, clientId, clientSecret, settings } = workspace;
  const client = createWorkspaceClient({ host, clientId, clientSecret, log: { warn() {}, debug() {} } });
  const runIds = await endedRuns(workspace, client, 5);
  settings.billingLagMs = 0;
  const runs = runIds.map((runId): BilledRun => {
    const run = workspace.jobs.runs.get(BigInt(runId));
    return { attemptId: `of ${runId}`, runId, begunMs: run?.startTime ?? 0, endedMs: run?.endTime ?? null };
  });
  const warehouse = createWarehouse(client, workspace.env().DATABRICKS_WAREHOUSE_ID ?? '', realClock);
  return {
    workspace,
    source: createSystemTablesSource({
      warehouse,
      workspaceId: workspace.env().DATABRICKS_WORKSPACE_ID ?? '',
    }),
    runs,
    runSeconds: '1',
    async close() {
      await client.close();
      await workspace.stop();
    },
  };
}

async function endedRuns({ volume, mount, jobs, jobId }: Workspace, client: WorkspaceClient, count: number) {
  const job = createLakeflowJob(client, jobId ?? '');
  const runIds: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const folder = path.join(mount, volume.slice('/Volumes/'.length), 'runs', String(n));
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'end'), 'well');
    const parameters = { input: `${volume}/runs/${n}/input.json`, attempt: String(n) };
    runIds.push(await job.runNow({ token: randomUUID(), parameters }));
  }
  await until('the runs to end', () => [...jobs.runs.values()].every(({ endTime }) => endTime > 0));
  return runIds;
}

billingSourceConformance('databricks', makeWorld);

let world: World;
const made = async () => {
  world = await makeWorld();
  return world;
};
afterEach(() => world?.close());
const ask = (runs: readonly BilledRun[]) =>
  world.source.costOf({ runSeconds: '1', readRuns: async () => runs });

test('M18, M25: the bill has our runs alone, comes in chunks, and says what it does not hold yet', async () => {
  const { runs, workspace } = await made();
  workspace.settings.chunkRows = 2;
  const { usd, note } = await ask(runs);
  const singly = await Promise.all(runs.map(async (run) => Number((await ask([run])).usd)));
  expect(Number(usd)).toBeCloseTo(
    singly.reduce((sum, one) => sum + one, 0),
    9,
  );
  expect(note).toMatch(/list prices.+last 48 hours is not final\. It holds use up to \d{4}-.+ UTC/);
  const unknown = { attemptId: 'a', runId: '99', begunMs: Date.now(), endedMs: null };
  expect((await ask([...runs, unknown])).note).toMatch(/1 of 6 runs are not on the bill yet/);
  const local = { attemptId: 'a', runId: 'local-1', begunMs: Date.now(), endedMs: null };
  expect((await ask([local])).usd).toBe('0');
});

test('M18: usage that has not come yet is no usage of nothing', async () => {
  const { runs, workspace } = await made();
  workspace.settings.billingLagMs = 3_600_000;
  expect(await ask(runs)).toMatchObject({
    usd: '0',
    note: expect.stringMatching(/5 of 5 runs are not on the bill yet/),
  });
});

test('missing grants are told in words that say what to grant', async () => {
  const { runs, workspace } = await made();
  workspace.app.grants.delete('system.billing:SELECT');
  await expect(ask(runs)).rejects.toThrow(/USE SCHEMA and SELECT on system\.billing/);
  workspace.app.grants.delete('warehouse:CAN_USE');
  await expect(ask(runs)).rejects.toThrow(/CAN USE on it, and check DATABRICKS_WAREHOUSE_ID/);
});

test('M18: amounts are exact, and what has no price is said, not counted as nothing', async () => {
  await made();
  const rows: Row[] = [
    {
      run_id: '1',
      unit_price: '0.35',
      quantity: '0.000000000000000003',
      billed_through: '2026-11-01T00:00:00Z',
    },
    {
      run_id: '1',
      unit_price: '0.45',
      quantity: '1234567890.123456789012',
      billed_through: '2026-11-01T01:00:00Z',
    },
    { run_id: '2', unit_price: null, quantity: '5', billed_through: '2026-11-01T00:00:00Z' },
    { run_id: '3', unit_price: '0.45', quantity: '-0.5', billed_through: '2026-11-01T00:00:00Z' },
    { run_id: '4', unit_price: '1E-7', quantity: '1', billed_through: '2026-11-01T00:00:00Z' },
  ];
  const source = createSystemTablesSource({
    warehouse: { read: async () => rows },
    workspaceId: '1',
    now: () => Date.UTC(2026, 10, 30),
  });
  const runs = ['1', '2', '3', '4'].map((runId) => ({
    attemptId: `of ${runId}`,
    runId,
    begunMs: 0,
    endedMs: 1,
  }));
  expect(await source.costOf({ runSeconds: '0', readRuns: async () => runs })).toEqual({
    usd: '555555550.330555655055',
    note: 'At list prices, before discounts. The use of 1 runs has no list price in US dollars and is left out.',
    byAttempt: new Map([
      ['of 1', '555555550.555555555055'],
      ['of 3', '-0.225'],
      ['of 4', '0.0000001'],
    ]),
  });
});

test('M18: a run under several attempts is billed once, to the first of them, however many are asked for', async () => {
  const asked: string[] = [];
  const source = createSystemTablesSource({
    warehouse: {
      read: async (_statement, parameters) => {
        const ids = JSON.parse(parameters.find(({ name }) => name === 'run_ids')?.value ?? '[]') as string[];
        asked.push(...ids);
        return ids.map((run_id) => ({
          run_id,
          unit_price: '0.5',
          quantity: '3',
          billed_through: '2026-11-01T00:00:00Z',
        }));
      },
    },
    workspaceId: '1',
    now: () => Date.UTC(2026, 10, 30),
  });
  const attempt = (attemptId: string, runId: string, begunMs: number) => ({
    attemptId,
    runId,
    begunMs,
    endedMs: 1,
  });
  // So many that the two attempts of one run would be in different statements.
  const many = Array.from({ length: 10_050 }, (_, n) => attempt(`of ${n}`, String(n), n));
  const cost = await source.costOf({
    runSeconds: '0',
    readRuns: async () => [...many, attempt('again', '7', 99_999)],
  });
  expect(asked).toHaveLength(10_050);
  expect(cost).toMatchObject({ usd: '15075', note: 'At list prices, before discounts.' });
  const sum = [...(cost.byAttempt ?? [])].reduce((total, [, usd]) => total + Number(usd), 0);
  expect(sum).toBe(15_075);
  expect(cost.byAttempt?.get('of 7')).toBe('1.5');
  expect(cost.byAttempt?.get('again')).toBe('0');
  const alone = { ...attempt('again', '7', 99_999), isBilledElsewhere: true };
  expect(await source.costOf({ runSeconds: '0', readRuns: async () => [alone] })).toMatchObject({
    usd: '0',
    byAttempt: new Map([['again', '0']]),
  });
});

test('a warehouse that is stopped, and one that is busy, is waited for', async () => {
  const { runs, workspace } = await made();
  workspace.settings.warehouseStartMs = 300;
  workspace.faults.add({ kind: 'status', status: 503, path: '/api/2.0/sql/statements', times: 1 });
  expect(Number((await ask(runs)).usd)).toBeGreaterThan(0);
});
