import os from 'node:os';
import path from 'node:path';
import type { ProgramAgent } from './config/agents-file';
import { runEnvironment } from './config/run-environment';
import { type Config, ConfigError } from './config/schema';
import { fingerprint, loadSecrets, type Secrets } from './config/secrets';
import { realClock } from './databricks/call-clock';
import { createLakeflowJob } from './databricks/jobs';
import { createWarehouse } from './databricks/statements';
import { createVolumeFiles } from './databricks/volume-files';
import { workspaceOf } from './databricks/workspace-of';
import { type Db, sharedDb } from './db/client';
import { fitPool } from './db/pool-size';
import { waitForSchema } from './db/wait-for-schema';
import type { Logger } from './log';
import { createSystemTablesSource } from './platform/billing-source/databricks';
import { createEstimatingSource } from './platform/billing-source/embedded';
import type { BillingSource } from './platform/billing-source/port';
import { createLakebaseCredentials } from './platform/database-credentials/databricks';
import { createFixedCredentials } from './platform/database-credentials/embedded';
import type { DatabaseCredentials } from './platform/database-credentials/port';
import { createVolumeDocumentStore } from './platform/document-store/databricks';
import { createEmbeddedDocumentStore } from './platform/document-store/embedded';
import type { DocumentStore } from './platform/document-store/port';
import { createLakeflowRunner } from './platform/job-runner/databricks';
import { createEmbeddedRunner } from './platform/job-runner/embedded';
import type { JobRunner } from './platform/job-runner/port';
import { createNoTraceSource } from './platform/trace-source/embedded';
import {
  createDatabricksSource,
  createMlflowSource,
  type DatabricksTraces,
} from './platform/trace-source/mlflow';
import type { TraceSource } from './platform/trace-source/port';
import { traceTarget } from './platform/trace-source/settings';
import { createHome, type Home } from './queue/home';
import { claimSecretFingerprint } from './queue/settings';

/** What every process of ours works with. */
export interface Runtime {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly db: Db;
  /** For sessions of one's own beside the pool. */
  readonly credentials: DatabaseCredentials;
  /** Whether the database is where it belongs, and no copy. */
  readonly home: Home;
  readonly documents: DocumentStore;
}

/**
 * Composes a process: the one place that knows every implementation. Waits up to a minute for the schema, never
 * migrates. Throws `ConfigError` where a setting is missing or WEBHOOK_SECRET is not this database's.
 * @param process.name shown in `pg_stat_activity`, such as `tickmark app`
 */
export async function createRuntime(
  config: Config,
  process: { readonly name: string; readonly log: Logger },
): Promise<Runtime> {
  const secrets = await loadSecrets(config);
  const credentials = databaseCredentials(config, process.log);
  const db = sharedDb(credentials, {
    applicationName: process.name,
    ...(config.databasePoolSize ? { max: config.databasePoolSize } : {}),
    onError: (err) => process.log.warn({ err }, 'database.connection_lost'),
  });
  await waitForSchema(db);
  if (!config.databasePoolSize) await fitPool(db);
  if (!(await claimSecretFingerprint(db, fingerprint(secrets.webhookSecret)))) {
    // Otherwise each would refuse the other's callbacks, hours later and without a reason that anybody sees.
    throw new ConfigError(
      'WEBHOOK_SECRET: this database is used with another one; set that here, or use the data folder that holds it',
    );
  }
  const home = createHome(db, placeName(config));
  return { config, secrets, db, credentials, home, documents: documentStore(config, process.log) };
}

/** What the platform calls the place of the database: its branch, as endpoints come and go. null elsewhere. */
export function placeName({ lakebase }: Pick<Config, 'lakebase'>): string | null {
  const { endpoint, instance } = lakebase;
  if (instance) return `lakebase:${instance}`;
  return endpoint ? `lakebase:${endpoint.replace(/\/endpoints\/[^/]+$/, '')}` : null;
}

/** How to log in to the database that is set; throws `ConfigError` where none is. */
export function databaseCredentials(config: Config, log: Logger): DatabaseCredentials {
  if (config.databaseUrl) return createFixedCredentials(config.databaseUrl);
  const { databricks } = config;
  if (databricks?.lakebase) {
    return createLakebaseCredentials(workspaceOf(databricks, log), databricks.lakebase);
  }
  throw new ConfigError('DATABASE_URL: needed here (npm start brings a database of its own)');
}

function documentStore(config: Config, log: Logger): DocumentStore {
  const { databricks, home } = config;
  if (!databricks) return createEmbeddedDocumentStore(home);
  const { volume } = databricks;
  const files = createVolumeFiles(workspaceOf(databricks, log), volume);
  return createVolumeDocumentStore({ files, volume, drafts: path.join(home, 'incoming') });
}

/** The bundled scripts that a run is made of. */
export interface RunScripts {
  readonly host: string;
  readonly agent: string;
  /** Stands in for the agent where that is a program of another author. */
  readonly program: string;
}

/**
 * The runner of this platform; only a worker needs one.
 * @param around.environmentId of the database: runs of another one are none of ours
 */
export function createJobRunner(
  config: Config,
  scripts: RunScripts,
  around: {
    readonly environmentId: string;
    readonly programs: readonly ProgramAgent[];
    readonly log: Logger;
  },
): JobRunner {
  const { databricks } = config;
  if (databricks) {
    const job = createLakeflowJob(workspaceOf(databricks, around.log), databricks.jobId);
    return createLakeflowRunner({ job, environmentId: around.environmentId, clock: realClock });
  }
  return createEmbeddedRunner({
    home: config.home,
    slots: config.runnerSlots ?? os.availableParallelism(),
    hostScript: scripts.host,
    agentScript: scripts.agent,
    programScript: scripts.program,
    programs: Object.fromEntries(
      around.programs.map(({ id, command, folder }) => [id, { command: [...command], folder }]),
    ),
    environment: runEnvironment(),
  });
}

/** What this platform knows of the cost of compute: its bill where there is a warehouse to read it with, else an estimate. */
export function createBillingSource(config: Config, log: Logger): BillingSource {
  const { warehouseId, workspaceId } = config.databricks ?? {};
  if (config.databricks && warehouseId && workspaceId) {
    const warehouse = createWarehouse(workspaceOf(config.databricks, log), warehouseId, realClock);
    return createSystemTablesSource({ warehouse, workspaceId });
  }
  return createEstimatingSource(config.computeUsdPerHour);
}

/** Where traces are read back from: nowhere unless MLFLOW_TRACKING_URI is set. Throws `ConfigError` for half a setting. */
export function createTraceSource(config: Config, log: Logger): TraceSource {
  const target = traceTarget(config);
  if (!target) return createNoTraceSource();
  if (target.kind === 'mlflow') {
    const headers: Record<string, string> = target.authorization
      ? { authorization: target.authorization }
      : {};
    return createMlflowSource({ url: target.url, authorise: async () => headers });
  }
  const workspace = workspaceOf(requireDatabricks(config), log);
  const authorise = async () => ({ authorization: `Bearer ${await workspace.token()}` });
  return createDatabricksSource({ url: target.url, authorise }, databricksTraces(config));
}

function requireDatabricks({ databricks }: Config): NonNullable<Config['databricks']> {
  if (!databricks) throw new ConfigError('MLFLOW_TRACKING_URI: `databricks` works in a Databricks App only');
  return databricks;
}

function databricksTraces({ mlflow, databricks }: Config): DatabricksTraces {
  if (!mlflow?.destination) return { kind: 'experiment' };
  if (!databricks?.warehouseId) {
    throw new ConfigError(
      'DATABRICKS_WAREHOUSE_ID: needed with MLFLOW_TRACING_DESTINATION, since a SQL warehouse reads Unity Catalog',
    );
  }
  return { kind: 'catalog', location: mlflow.destination, warehouseId: databricks.warehouseId };
}
