import path from 'node:path';
import type { Config } from '@/lib/config/schema';
import type { Secrets } from '@/lib/config/secrets';
import type { DatabaseAddress } from '@/lib/db/client';
import { leashArguments } from '@/lib/process/leash';
import type { ChildSpec } from './child';

/** What every process of ours is told, however it was started. */
export interface Surroundings {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly database: DatabaseAddress;
  /** Folder that the bundles lie in. */
  readonly dist: string;
  /** Where the built-in model answers, null when another model is set. */
  readonly modelPort: number | null;
}

export const BUILT_IN_MODEL = 'tickmark-rules-1';

/** Settings as every process of ours reads them. */
export function surroundingEnvironment(around: Surroundings): NodeJS.ProcessEnv {
  const { config, secrets } = around;
  return {
    ...process.env,
    NODE_ENV: 'production',
    HOST: config.host,
    PORT: String(config.port),
    TICKMARK_HOME: config.home,
    TICKMARK_URL: config.url,
    TICKMARK_PLATFORM: config.platform,
    // Each process stands in a folder of its own, which a relative path must not start from.
    ...(config.agentsFile ? { TICKMARK_AGENTS_FILE: config.agentsFile } : {}),
    // Where passwords expire, each process gets its own.
    ...(around.database.password ? {} : { DATABASE_URL: around.database.url }),
    ...(around.modelPort === null
      ? {}
      : { MODEL_BASE_URL: `http://127.0.0.1:${around.modelPort}/v1`, MODEL_NAME: BUILT_IN_MODEL }),
    NEXTAUTH_URL: config.url,
    NEXTAUTH_SECRET: secrets.authSecret,
  };
}

/** The built-in model gets a port and its limits: it needs neither database nor secret. */
export function rulesModel(around: Surroundings): ChildSpec {
  const { requestsPerMinute, tokensPerMinute } = around.config.rulesModel;
  const given = {
    port: around.modelPort,
    'requests-per-minute': requestsPerMinute,
    'tokens-per-minute': tokensPerMinute,
  };
  const options = Object.entries(given).flatMap(([name, value]) =>
    value == null ? [] : [`--${name}`, String(value)],
  );
  return {
    name: 'model',
    args: [...nodeOptions(), path.join(around.dist, 'rules-model.mjs'), ...options],
    cwd: around.config.home,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: around.config.logLevel },
  };
}

/** @param folder of the built app, with its `server.js` */
export function webApp(around: Surroundings, folder: string): ChildSpec {
  return {
    name: 'app',
    args: [...nodeOptions(), path.join(folder, 'server.js')],
    cwd: folder,
    env: { ...surroundingEnvironment(around), HOSTNAME: around.config.host, NEXT_TELEMETRY_DISABLED: '1' },
  };
}

/** @param root the checkout */
export function devApp(around: Surroundings, root: string): ChildSpec {
  const next = path.join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const { host, port } = around.config;
  return {
    name: 'app',
    args: [...devOptions(), next, 'dev', '-H', host, '-p', String(port)],
    cwd: root,
    env: { ...surroundingEnvironment(around), NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
  };
}

export function worker(around: Surroundings): ChildSpec {
  return {
    name: 'worker',
    args: [...nodeOptions(), path.join(around.dist, 'worker.mjs')],
    cwd: around.config.home,
    env: surroundingEnvironment(around),
  };
}

function nodeOptions(): string[] {
  return ['--enable-source-maps', ...leashArguments()];
}

/** Next starts processes of its own with its own options, and the leash holds a direct child only. */
function devOptions(): string[] {
  const leash =
    "process.on('disconnect', () => { try { process.kill(-process.pid, 'SIGKILL') } catch {} process.exit() })";
  return ['--import', `data:text/javascript,${encodeURIComponent(leash)}`];
}
