import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { DatabricksSettings } from '@/lib/config/databricks-settings';
import type { Config } from '@/lib/config/schema';
import { createLakeflowJob } from '@/lib/databricks/jobs';
import { createVolumeFiles } from '@/lib/databricks/volume-files';
import type { WorkspaceClient } from '@/lib/databricks/workspace-client';
import { WorkspaceError } from '@/lib/databricks/workspace-error';
import { createLogger } from '@/lib/log';
import { createBillingSource } from '@/lib/runtime';
import { type Finding, note, ok, problem } from './finding';

const PROBE = Buffer.from('a probe of npm run doctor; it may be removed\n');

interface Check {
  /** What is in order when `look` returns. */
  readonly fine: string;
  /** What to do when it throws. */
  readonly advice: string;
  look(): Promise<unknown>;
}

/** Every binding and grant of a Databricks App, one line each: what is in order, or what to do. Changes nothing. */
export async function checkWorkspace(config: Config, workspace: WorkspaceClient): Promise<Finding[]> {
  const { databricks } = config;
  if (!databricks) return [];
  const signIn = await run({
    fine: `the workspace ${databricks.host} takes the app’s service principal`,
    advice: 'DATABRICKS_HOST, DATABRICKS_CLIENT_ID, DATABRICKS_CLIENT_SECRET: those of the app are needed',
    look: () => workspace.token(),
  });
  // Without a token every other check would fail for the same reason.
  if (signIn.level === 'problem') return [signIn];
  const findings = [signIn];
  for (const check of checks(config, databricks, workspace)) findings.push(await run(check));
  return [...findings, ...unset(config, databricks)];
}

async function run({ fine, advice, look }: Check): Promise<Finding> {
  try {
    await look();
    return ok(fine);
  } catch (error) {
    return problem(`${advice} (${(error as Error).message})`);
  }
}

function checks(config: Config, databricks: DatabricksSettings, workspace: WorkspaceClient): Check[] {
  const get = (path: string) => workspace.json({ method: 'GET', path, idempotent: true, retryForMs: 0 });
  const { appName, jobId, volume } = databricks;
  return [
    {
      fine: `files can be written, read and removed in ${volume}`,
      advice: `TICKMARK_VOLUME: grant READ VOLUME and WRITE VOLUME on ${volume}, USE SCHEMA and USE CATALOG above it`,
      look: () => probeVolume(workspace, volume),
    },
    {
      fine: `the job ${jobId} is there`,
      advice: `TICKMARK_JOB_ID: grant CAN_MANAGE_RUN on the job ${jobId}, or bind the one that is there`,
      look: () => createLakeflowJob(workspace, jobId).listActive(),
    },
    ...warehouseChecks(config, databricks, workspace),
    ...(config.mlflow?.trackingUri === 'databricks' && config.mlflow.experimentId
      ? [
          {
            fine: `the experiment ${config.mlflow.experimentId} is there`,
            advice: `MLFLOW_EXPERIMENT_ID: grant CAN_EDIT on the experiment ${config.mlflow.experimentId}`,
            look: () => get(`/api/2.0/mlflow/experiments/get?experiment_id=${config.mlflow?.experimentId}`),
          },
        ]
      : []),
    ...(config.model?.baseUrl.startsWith(databricks.host)
      ? [servingCheck(config.model.name, workspace)]
      : []),
    {
      fine: 'people’s names and groups can be read',
      advice:
        'the service principal may not read SCIM: only those get in whose number has a role, by TICKMARK_ADMINS or npm run roles',
      look: () => get('/api/2.0/preview/scim/v2/Users?count=1'),
    },
    ...(appName
      ? [
          {
            fine: `the app is published, and takes callbacks`,
            advice: `runs can’t call back: give the job’s service principal CAN_USE on the app ${appName}. Tasks finish without, later`,
            look: () => probeCallback(config, appName, workspace),
          },
        ]
      : []),
  ];
}

function warehouseChecks(
  config: Config,
  { warehouseId }: DatabricksSettings,
  workspace: WorkspaceClient,
): Check[] {
  if (!warehouseId) return [];
  const path = `/api/2.0/sql/warehouses/${encodeURIComponent(warehouseId)}`;
  // As the product asks, for a run that is nobody's; a warehouse that sleeps starts for it.
  const nobodys = {
    attemptId: randomUUID(),
    runId: '1',
    begunMs: Date.now() - 3_600_000,
    endedMs: Date.now(),
  };
  const billing = createBillingSource(config, createLogger('doctor', 'error'));
  return [
    {
      fine: `the warehouse ${warehouseId} is there`,
      advice: `DATABRICKS_WAREHOUSE_ID: grant CAN_USE on the warehouse ${warehouseId}`,
      look: () => workspace.json({ method: 'GET', path, idempotent: true, retryForMs: 0 }),
    },
    {
      fine: 'the billing tables can be read',
      advice:
        'grant USE SCHEMA and SELECT on system.billing (an account admin can), or compute cost stays an estimate',
      look: () => billing.costOf({ runSeconds: '0', readRuns: async () => [nobodys] }),
    },
  ];
}

/** One token of output, as nothing else tells whether the endpoint may be asked. */
function servingCheck(name: string, workspace: WorkspaceClient): Check {
  return {
    fine: `the model ${name} answers`,
    advice: `MODEL_NAME: grant CAN_QUERY on the serving endpoint ${name}, or bind another`,
    look: () =>
      workspace
        .json({
          method: 'POST',
          path: `/serving-endpoints/${encodeURIComponent(name)}/invocations`,
          json: { messages: [{ role: 'user', content: 'Say yes.' }], max_tokens: 1, stream: false },
          idempotent: true,
          retryForMs: 0,
        })
        .catch((error: unknown) => {
          // It may find fault with the question, but then we were let through to it.
          if (!(error instanceof WorkspaceError && error.status === 400)) throw error;
        }),
  };
}

async function probeVolume(workspace: WorkspaceClient, volume: string): Promise<void> {
  const files = createVolumeFiles(workspace, volume);
  const path = `${volume}/.doctor-${randomUUID()}`;
  const open = () => Readable.from([PROBE]);
  await files.upload(path, { sizeBytes: PROBE.length, open }, { overwrite: true });
  const size = await files.size(path);
  await files.remove(path);
  if (size !== PROBE.length) throw new Error(`what was written came back as ${size} bytes`);
}

/** An empty callback gets as far as our own refusal, or not. */
async function probeCallback(config: Config, appName: string, workspace: WorkspaceClient): Promise<void> {
  const path = `/api/2.0/apps/${encodeURIComponent(appName)}`;
  const app = await workspace.json({ method: 'GET', path, idempotent: true, retryForMs: 0 });
  const published = (app as { url?: string } | undefined)?.url;
  const given = process.env.TICKMARK_URL ? config.url : published;
  if (!given) throw new Error('the workspace tells no address of the app; set TICKMARK_URL');
  const answer = await fetch(new URL('/api/v1/callbacks', given), {
    method: 'POST',
    headers: { authorization: `Bearer ${await workspace.token()}`, 'content-type': 'application/json' },
    body: '{}',
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  });
  const type = answer.headers.get('content-type') ?? '';
  if (!type.startsWith('application/problem+json')) {
    throw new Error(`${given} answered ${answer.status}, not the app itself`);
  }
}

function unset(config: Config, databricks: DatabricksSettings): Finding[] {
  return [
    ...(databricks.warehouseId ? [] : [note('no warehouse is bound: compute cost stays an estimate')]),
    ...(config.mlflow ? [] : [note('no experiment is bound: tokens and cost are what agents report')]),
    ...(config.model ? [] : [problem('MODEL_NAME: no serving endpoint is bound, which a worker needs')]),
  ];
}
