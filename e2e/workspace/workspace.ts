import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Hono } from 'hono';
import { type AppProxy, startAppProxy } from './app-proxy';
import { createSignIns } from './app-sign-in';
import { answerBilling } from './billing-statement';
import { obey, type Seen } from './control';
import { appRoutes, directoryRoutes } from './directory';
import { createFaults, type Faults } from './faults';
import { filesRoutes } from './files';
import { frontDoor } from './front-door';
import { createIdentities, type Grant, type Identities, type Principal } from './identities';
import { createJobEngine, type JobEngine } from './job-engine';
import type { JobSettings } from './job-settings';
import { jobsRoutes } from './jobs';
import { type Lakebase, type LakebaseOptions, startLakebase } from './lakebase';
import { credentialRoutes, type DatabaseTokens } from './lakebase-credentials';
import { layOut } from './lay-out';
import { createTraces, type Traces } from './mlflow';
import { oauthRoutes } from './oauth';
import { createRateLimits, type RateLimits } from './rate-limits';
import type { Env } from './requests';
import { createServing, type Serving } from './serving';
import { PROXY_SETTINGS, platformSettings, type Settings } from './settings';
import { statementRoutes } from './statements';

export interface WorkspaceOptions {
  /** The job that the bundle would have made; unset: none. */
  readonly job?: JobSettings;
  /** Files of the deployed bundle: where each lies below the job's folder, and what is copied there. */
  readonly bundle?: Readonly<Record<string, string>>;
  /** What a job's process sees of the environment beside the platform's own. */
  readonly jobEnvironment?: Readonly<Record<string, string>>;
  /** Tasks at once in the whole workspace (default 4). */
  readonly parallel?: number;
  /** `/Volumes/<catalog>/<schema>/<volume>`; unset: one of the stand-in's own. */
  readonly volume?: string;
  /** The database; unset: none. */
  readonly lakebase?: LakebaseOptions;
  /** Port of the app; set: there is a proxy in front of it. */
  readonly appPort?: number;
  /** Port of that proxy; unset: a free one. */
  readonly proxyPort?: number;
}

export interface Workspace {
  /** Origin of the workspace, such as `http://127.0.0.1:12345`. */
  readonly host: string;
  /** The app's service principal. */
  readonly app: Principal;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The service principal that runs act as; a job reads its id and secret from the scope `tickmark`. */
  readonly agent: Principal;
  readonly identities: Identities;
  readonly faults: Faults;
  readonly settings: Settings;
  readonly limits: RateLimits;
  readonly jobs: JobEngine;
  /** Of the job of the options; `null` without one. */
  readonly jobId: string | null;
  /** The volume's path, and the folder that stands for `/Volumes`. */
  readonly volume: string;
  readonly mount: string;
  readonly serving: Serving;
  readonly traces: Traces;
  readonly databaseTokens: DatabaseTokens;
  /** `null` without one in the options. */
  readonly lakebase: Lakebase | null;
  readonly proxy: AppProxy | null;
  /** The variables that the platform and `app.yaml` would give the app for what is here. */
  env(): Record<string, string>;
  stop(): Promise<void>;
}

/** Of `databricks.yml`. */
const AGENT_GRANTS: readonly Grant[] = [
  'volume:READ_VOLUME',
  'volume:WRITE_VOLUME',
  'endpoint:CAN_QUERY',
  'experiment:CAN_EDIT',
  'app:CAN_USE',
];
const WORKSPACE_ID = '7034567890123456';
const VOLUME = '/Volumes/main/tickmark/files';
const ENDPOINT = 'projects/tickmark/branches/production/endpoints/primary';
const EXPERIMENT_ID = '1234567890123456';
const WAREHOUSE_ID = '0123456789abcdef';
/** Where the mount of volumes is; the product reads it in tests alone. */
const MOUNT_VARIABLE = 'TICKMARK_VOLUMES_ROOT';

/** Starts a workspace of its own on a free port of this machine. */
export async function startWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const home = await mkdtemp(path.join(tmpdir(), 'tickmark-workspace-'));
  const mount = path.join(home, 'Volumes');
  const volume = options.volume ?? VOLUME;
  const now = Date.now;
  const identities = createIdentities(now);
  const app = identities.addServicePrincipal('app-tickmark');
  const agent = identities.addServicePrincipal('tickmark-agent', AGENT_GRANTS);
  const faults = createFaults();
  const settings = platformSettings();
  const limits = createRateLimits(now);
  const address = { host: '' };
  const host = () => address.host;

  const environment = await layOut(home, agent, { volume, bundle: options.bundle ?? {} });
  const jobs = createJobEngine({
    now,
    parallel: options.parallel ?? 4,
    host,
    place: () => ({
      bundle: path.join(home, 'bundle'),
      environment: {
        ...environment,
        DATABRICKS_HOST: address.host,
        [MOUNT_VARIABLE]: mount,
        ...options.jobEnvironment,
      },
    }),
  });
  const jobId = options.job ? String(jobs.create(options.job).id) : null;
  const { routes: credentials, tokens: databaseTokens } = credentialRoutes(ENDPOINT, settings, now);
  const serving = createServing(settings);
  const traces = createTraces(EXPERIMENT_ID, host);
  const signIns = createSignIns(identities);
  const statements = statementRoutes({
    warehouseId: WAREHOUSE_ID,
    settings,
    host,
    run: answerBilling({ runs: jobs.runs, workspaceId: WORKSPACE_ID, settings, now }),
  });

  let proxy: AppProxy | null = null;
  const routes = new Hono<Env>();
  routes.route('/', oauthRoutes(identities, settings));
  routes.route('/', signIns.routes);
  routes.route('/', traces.store);
  routes.route('/', statements.store);
  for (const guarded of ['/api/*', '/serving-endpoints/*']) {
    routes.use(guarded, async (c, next) => {
      c.set('token', identities.authenticate(c.req.header('authorization')));
      await next();
    });
  }
  routes.route('/', jobsRoutes({ engine: jobs, limits, settings, host }));
  routes.route('/', filesRoutes(settings, { mount, volume, pageEntries: 37 }));
  for (const part of [
    credentials,
    serving.routes,
    traces.routes,
    statements.routes,
    directoryRoutes(identities),
    appRoutes(app, () => proxy?.url),
  ]) {
    routes.route('/', part);
  }
  const server = createServer(
    frontDoor(routes, faults, address, {
      obey: (order) => obey(order, workspace),
      seen: () => look(workspace),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address.host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const lakebase = options.lakebase ? await startLakebase(options.lakebase, app.name, databaseTokens) : null;
  proxy =
    options.appPort === undefined
      ? null
      : await startAppProxy(identities, signIns, address.host, {
          ...PROXY_SETTINGS,
          appPort: options.appPort,
          port: options.proxyPort ?? 0,
        });

  const workspace: Workspace = {
    host: address.host,
    app,
    agent,
    clientId: app.name,
    clientSecret: app.secret,
    identities,
    faults,
    settings,
    limits,
    jobs,
    jobId,
    volume,
    mount,
    serving,
    traces,
    databaseTokens,
    lakebase,
    proxy,
    env: () => ({
      DATABRICKS_HOST: address.host,
      DATABRICKS_CLIENT_ID: app.name,
      DATABRICKS_CLIENT_SECRET: app.secret,
      DATABRICKS_WORKSPACE_ID: WORKSPACE_ID,
      DATABRICKS_APP_NAME: 'tickmark',
      ...(options.appPort === undefined ? {} : { DATABRICKS_APP_PORT: String(options.appPort) }),
      ...(lakebase ? { ...lakebase.env(), PGAPPNAME: 'tickmark', LAKEBASE_ENDPOINT: ENDPOINT } : {}),
      TICKMARK_VOLUME: volume,
      ...(jobId === null ? {} : { TICKMARK_JOB_ID: jobId }),
      DATABRICKS_WAREHOUSE_ID: WAREHOUSE_ID,
      TICKMARK_PLATFORM: 'databricks',
      MODEL_NAME: settings.endpoint,
      MLFLOW_TRACKING_URI: 'databricks',
      MLFLOW_EXPERIMENT_ID: EXPERIMENT_ID,
    }),
    async stop() {
      await proxy?.stop();
      await jobs.stop();
      await lakebase?.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(home, { recursive: true, force: true });
    },
  };
  return workspace;
}

function look({ proxy, databaseTokens, lakebase, jobs }: Workspace): Seen {
  return {
    refusedMachines: proxy?.refusedMachines ?? 0,
    databaseTokens: databaseTokens.given,
    databaseRefusals: lakebase?.refused ?? 0,
    runs: jobs.runs.size,
    mostBegun: Math.max(0, ...jobs.begun.values()),
  };
}
