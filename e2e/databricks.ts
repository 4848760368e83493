import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@/lib/embedded-postgres/server';
import { SELF_SIGNED } from '@/test/self-signed';
import { packAgent } from '../bin/pack-agent.mjs';
import { root } from '../bin/root.mjs';
import { e2ePort, freePort } from './instance';
import { PEOPLE } from './people';
import { startApp, stopApp } from './start-app';
import { tickmarkJob } from './workspace/tickmark-job';
import { startWorkspace, type Workspace } from './workspace/workspace';

/** Tickmark on the Databricks platform, as far as this machine can have it. */
export interface DatabricksInstance {
  readonly workspace: Workspace;
  readonly app: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL, the stand-in workspace with the proxy in front of the app, and the app with the variables that the
 * platform injects. What the specs need to know is put into this process's environment, which their processes inherit.
 */
export async function startOnDatabricks(): Promise<DatabricksInstance> {
  const home = await mkdtemp(path.join(tmpdir(), 'tickmark-databricks-'));
  const postgres = await startPostgres(home);
  const appPort = await freePort();
  const workspace = await startWorkspace({
    job: tickmarkJob(),
    bundle: await deployBundle(home),
    lakebase: { superuserUrl: postgres.superuserUrl, database: 'tickmark', certificate: SELF_SIGNED },
    appPort,
    proxyPort: await e2ePort(),
    parallel: 3,
    // Where else than to Databricks Apps a run may send its token.
    jobEnvironment: { TICKMARK_URL: `http://127.0.0.1:${await e2ePort()}` },
  });
  for (const { email, name, groups } of Object.values(PEOPLE)) {
    workspace.identities.addUser(email, name, groups);
  }
  const webhookSecret = randomBytes(32).toString('hex');
  const settings = { ...(await appEnvironment(home, workspace)), WEBHOOK_SECRET: webhookSecret };
  const app = await startApp(settings, path.join(home, 'app.log'));
  Object.assign(process.env, {
    TICKMARK_E2E_HOME: home,
    TICKMARK_E2E_URL: workspace.proxy?.url,
    TICKMARK_E2E_APP_URL: `http://127.0.0.1:${appPort}`,
    TICKMARK_E2E_APP_PID: String(app.pid),
    TICKMARK_E2E_DATABASE_URL: `${workspace.lakebase?.adminUrl}?options=-csearch_path%3Dtickmark`,
    TICKMARK_E2E_WEBHOOK_SECRET: webhookSecret,
    TICKMARK_E2E_WORKSPACE: JSON.stringify({
      host: workspace.host,
      clientId: workspace.agent.name,
      clientSecret: workspace.agent.secret,
    }),
  });
  return {
    workspace,
    app,
    async stop() {
      await stopApp(app);
      await workspace.stop();
      await postgres.stop();
      if (!process.env.TICKMARK_E2E_KEEP) await rm(home, { recursive: true, force: true });
    },
  };
}

async function startPostgres(home: string) {
  const folder = path.join(home, 'lakebase');
  await mkdir(folder, { mode: 0o711 });
  return startEmbeddedPostgres({
    home: folder,
    logFile: path.join(home, 'postgres.log'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
}

/** The files of the job as `databricks bundle deploy` would leave them, with the agent unpacked once for all runs. */
async function deployBundle(home: string): Promise<Record<string, string>> {
  const packed = path.join(home, 'packed');
  const dist = path.join(home, 'agent');
  await mkdir(packed);
  await mkdir(dist);
  const parts = await packAgent(packed);
  const unpack = spawnSync('sh', ['-c', `cat "$@" | tar -xz -C '${dist}'`, 'sh', ...parts.sort()]);
  if (unpack.status !== 0) throw new Error(`the agent could not be unpacked: ${unpack.stderr}`);
  await rm(packed, { recursive: true });
  return { 'agent/job/run_agent.py': path.join(root, 'agent/job/run_agent.py'), dist };
}

/** What the platform injects and `app.yaml` binds; and, for this machine, a data folder and whom to trust. */
async function appEnvironment(home: string, workspace: Workspace): Promise<Record<string, string>> {
  const authority = path.join(home, 'authority.pem');
  await writeFile(authority, SELF_SIGNED.cert);
  return {
    ...workspace.env(),
    AUTH_SECRET: randomBytes(32).toString('hex'),
    TICKMARK_HOME: path.join(home, 'app'),
    NODE_EXTRA_CA_CERTS: authority,
  };
}
