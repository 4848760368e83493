import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { signToken } from '@/lib/auth/token';
import type { Config } from '@/lib/config/schema';
import { loadSecrets } from '@/lib/config/secrets';
import { root } from '../root.mjs';
import { readInstance } from '../supervisor/instance';
import { freePort } from '../supervisor/ports';
import { EXIT } from '../supervisor/start-error';
import type { Api } from './api';
import { CliError } from './cli-error';

const LOOK_MS = 200;
const TOKEN_KEPT_MS = 5 * 60_000;

/** The Tickmark that a command works with. */
export interface Attached {
  readonly api: Api;
  /** Stops the instance if this command started it. */
  release(): Promise<void>;
  /** Resolves with words when an instance of our own ended unasked; never for somebody else's. */
  readonly lost: Promise<string>;
}

/**
 * Finds the running instance: `TICKMARK_URL`, else the one on the data folder, else a new one on a free port that
 * stops with this command.
 */
export async function attach(config: Config, say: (line: string) => void): Promise<Attached> {
  const foreign = process.env.TICKMARK_URL;
  if (foreign) return attachTo(config, config.url);
  const url = await findRunning(config, say);
  return url ? attachTo(config, url) : startOwn(config, say);
}

function attachTo(config: Config, url: string): Attached {
  return { api: { url, token: tokenSource(config) }, release: async () => {}, lost: new Promise(() => {}) };
}

/** Waits for an instance that is starting or stopping. */
async function findRunning(config: Config, say: (line: string) => void): Promise<string | null> {
  for (let told = false; ; told = true) {
    const instance = await readInstance(config.home);
    if (!instance) return null;
    if (instance.state === 'ready') return instance.url;
    if (!told) say(`waiting for the Tickmark that is ${instance.state} (process ${instance.pid})`);
    await delay(LOOK_MS);
  }
}

async function startOwn(config: Config, say: (line: string) => void): Promise<Attached> {
  say('no Tickmark runs on this data folder: starting one for this command');
  const port = await freePort();
  const { DATABRICKS_APP_PORT: _, ...env } = process.env;
  // The channel ends it should this command be killed; its output must not reach our stdout.
  const child = spawn(process.execPath, [path.join(root, 'bin', 'start.mjs')], {
    cwd: root,
    env: {
      ...env,
      PORT: String(port),
      TICKMARK_HOME: config.home,
      ...(config.agentsFile ? { TICKMARK_AGENTS_FILE: config.agentsFile } : {}),
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.resume();
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(EXIT.failed));
    child.once('exit', (code) => resolve(code ?? EXIT.failed));
  });
  const stopOnSignal = () => {
    void stop(child, ended).then(() => process.exit(130));
  };
  process.on('SIGINT', stopOnSignal).on('SIGTERM', stopOnSignal);
  const url = await untilReady(config, ended);
  if (url === null) return attach(config, say);
  return {
    ...attachTo(config, url),
    lost: ended.then((code) => `the Tickmark of this command ended with code ${code}`),
    release: async () => {
      process.off('SIGINT', stopOnSignal).off('SIGTERM', stopOnSignal);
      await stop(child, ended);
    },
  };
}

/** null when somebody else started one on the same data folder in the meantime. */
async function untilReady(config: Config, ended: Promise<number>): Promise<string | null> {
  let code: number | undefined;
  void ended.then((value) => {
    code = value;
  });
  for (;;) {
    if (code === EXIT.alreadyRunning) return null;
    if (code !== undefined) throw new CliError('Tickmark did not start; the lines above say why');
    const instance = await readInstance(config.home);
    if (instance?.state === 'ready') return instance.url;
    await delay(LOOK_MS);
  }
}

async function stop(child: ChildProcess, ended: Promise<number>): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

/** TICKMARK_TOKEN, else TICKMARK_ADMIN_TOKEN, else one that we sign with the data folder's own secret. */
function tokenSource(config: Config): () => Promise<string | undefined> {
  const set = config.token ?? config.adminToken;
  if (set) return async () => set;
  let kept: { token: string; at: number } | undefined;
  return async () => {
    if (!kept || Date.now() - kept.at > TOKEN_KEPT_MS) {
      kept = { token: await signToken((await loadSecrets(config)).authSecret), at: Date.now() };
    }
    return kept.token;
  };
}
