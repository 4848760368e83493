import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { createFaults, Fault, type Faults, misbehave } from './faults';
import { type FilesSettings, filesRoutes } from './files';
import { createIdentities, type Identities, type Principal } from './identities';
import { writeJson } from './int64-json';
import { createJobEngine, type JobEngine } from './job-engine';
import type { JobSettings } from './job-settings';
import { type JobsSettings, jobsRoutes } from './jobs';
import { type OAuthSettings, oauthRoutes } from './oauth';
import { createRateLimits, type RateLimits } from './rate-limits';
import { Refusal } from './refusal';
import type { Env } from './requests';

export interface WorkspaceOptions {
  /** The job that the bundle would have made; unset: none. */
  readonly job?: JobSettings;
  /** Files of the deployed bundle: where each lies below the job's folder, and what is copied there. */
  readonly bundle?: Readonly<Record<string, string>>;
  /** What a job's process sees of the environment beside the platform's own. */
  readonly jobEnvironment?: Readonly<Record<string, string>>;
  /** Tasks at once in the whole workspace (default 4). */
  readonly parallel?: number;
  /** `/Volumes/<catalog>/<schema>/<volume>`. */
  readonly volume?: string;
}

/** What may be changed while the workspace runs. */
export type Settings = OAuthSettings & JobsSettings & Pick<FilesSettings, 'tornUploads'>;

export interface Workspace {
  /** Origin of the workspace, such as `http://127.0.0.1:12345`. */
  readonly host: string;
  readonly workspaceId: string;
  /** The app's service principal. */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly app: Principal;
  readonly identities: Identities;
  readonly faults: Faults;
  readonly settings: Settings;
  readonly limits: RateLimits;
  readonly jobs: JobEngine;
  /** Of the job of the options; `null` without one. */
  readonly jobId: string | null;
  /** The volume's path and the folder that stands for `/Volumes`. */
  readonly volume: string;
  readonly mount: string;
  /** The variables that the platform and `app.yaml` would give the app for what is here. */
  env(): Record<string, string>;
  stop(): Promise<void>;
}

/** A user of the job's `{{…}}` finds the mount here; the product reads it in tests alone. */
const MOUNT_VARIABLE = 'TICKMARK_VOLUMES_ROOT';

/** Starts a workspace of its own on a free port of this machine. */
export async function startWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const home = await mkdtemp(path.join(tmpdir(), 'tickmark-workspace-'));
  const volume = options.volume ?? '/Volumes/main/tickmark/files';
  const mount = path.join(home, 'Volumes');
  const bundle = path.join(home, 'bundle');
  await mkdir(path.join(home, volume), { recursive: true });
  for (const [target, source] of Object.entries(options.bundle ?? {})) {
    await cp(source, path.join(bundle, target), { recursive: true });
  }
  await mkdir(path.join(home, 'tmp'));

  const now = Date.now;
  const identities = createIdentities(now);
  const app = identities.addServicePrincipal('app-tickmark');
  const faults = createFaults();
  const settings: Settings = { tokenSeconds: 3600, unknownRunStatus: 400, tornUploads: false };
  const limits = createRateLimits(now);
  const address = { host: '' };
  const jobs = createJobEngine({
    now,
    parallel: options.parallel ?? 4,
    place: () => ({
      bundle,
      environment: {
        ...ownEnvironment(home),
        DATABRICKS_HOST: address.host,
        [MOUNT_VARIABLE]: mount,
        ...options.jobEnvironment,
      },
    }),
  });
  const jobId = options.job ? String(jobs.create(options.job).id) : null;

  const routes = new Hono<Env>();
  routes.route('/', oauthRoutes(identities, settings));
  routes.use('/api/*', async (c, next) => {
    c.set('token', identities.authenticate(c.req.header('authorization')));
    await next();
  });
  routes.route('/', jobsRoutes({ engine: jobs, limits, settings, host: () => address.host }));
  routes.route('/', filesRoutes(Object.assign(settings, { mount, volume, pageEntries: 37 })));
  const server = createServer(frontDoor(routes, faults, address));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address.host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    host: address.host,
    workspaceId: '7034567890123456',
    clientId: app.name,
    clientSecret: app.secret,
    app,
    identities,
    faults,
    settings,
    limits,
    jobs,
    jobId,
    volume,
    mount,
    env: () => ({
      DATABRICKS_HOST: address.host,
      DATABRICKS_CLIENT_ID: app.name,
      DATABRICKS_CLIENT_SECRET: app.secret,
      DATABRICKS_WORKSPACE_ID: '7034567890123456',
      TICKMARK_VOLUME: volume,
      ...(jobId === null ? {} : { TICKMARK_JOB_ID: jobId }),
    }),
    async stop() {
      await jobs.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** What a serverless task has: nothing of this machine's settings, no credential. */
function ownEnvironment(home: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: path.join(home, 'tmp'),
    LANG: 'C.UTF-8',
    DATABRICKS_RUNTIME_VERSION: 'client.4.9',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

/** Host check, faults, errors; then the routes. */
function frontDoor(routes: Hono<Env>, faults: Faults, address: { readonly host: string }) {
  routes.notFound((c) =>
    new Refusal(404, 'ENDPOINT_NOT_FOUND', `No API found for '${c.req.method} ${c.req.path}'`).response(),
  );
  routes.onError((error) => {
    if (error instanceof Refusal) return error.response();
    return new Refusal(500, 'INTERNAL_ERROR', error.message).response();
  });
  return getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      const { pathname } = new URL(request.url);
      // One address serves many workspaces: which one is meant is told by the host alone.
      if (`http://${incoming.headers.host}` !== address.host) {
        return new Response('<html><title>Not found</title></html>', {
          status: 404,
          headers: { 'content-type': 'text/html' },
        });
      }
      if (pathname === '/__workspace/faults') return controlFaults(request, faults);
      const handle = async () => routes.fetch(request, env);
      const fault = faults.next(request.method, pathname);
      return fault ? misbehave(fault, outgoing as ServerResponse, handle) : handle();
    },
    { overrideGlobalObjects: false },
  ) as (incoming: IncomingMessage, outgoing: ServerResponse) => void;
}

async function controlFaults(request: Request, faults: Faults): Promise<Response> {
  if (request.method === 'DELETE') faults.clear();
  else faults.add(Fault.parse(await request.json()));
  return new Response(writeJson({}), { headers: { 'content-type': 'application/json' } });
}
