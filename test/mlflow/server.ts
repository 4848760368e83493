import { spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@/bin/supervisor/ports';
import { exitOf } from '@/test/exit-of';
import { mlflowPython } from './environment';

/** A real MLflow server on an empty database. */
export interface MlflowServer {
  readonly url: string;
  /** What `GET path` answers, as JSON; throws for anything but 200. */
  get(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** An empty SQLite file is filled by some fifty migrations first; on a busy machine with two slow cores that takes its time. */
const START_SECONDS = 300;

/** Starts a server that asks nobody on the network for anything: no price catalogue, no telemetry, no jobs. */
export async function startMlflow(): Promise<MlflowServer> {
  const python = await mlflowPython();
  const home = await mkdtemp(path.join(os.tmpdir(), 'tickmark-mlflow-'));
  const port = await freePort();
  const log = path.join(home, 'server.log');
  const args = [
    ...['-m', 'mlflow', 'server', '--host', '127.0.0.1', '--port', String(port), '--workers', '1'],
    ...['--backend-store-uri', `sqlite:///${home}/mlflow.db`, '--artifacts-destination', `${home}/artifacts`],
  ];
  const output = await open(log, 'w');
  const child = spawn(python, args, {
    cwd: home,
    env: {
      PATH: `${path.dirname(python)}:${process.env.PATH}`,
      HOME: home,
      MLFLOW_MODEL_CATALOG_URI: '',
      MLFLOW_SERVER_ENABLE_JOB_EXECUTION: 'false',
      MLFLOW_DISABLE_TELEMETRY: 'true',
      DO_NOT_TRACK: '1',
      NO_PROXY: '127.0.0.1',
      NODE_ENV: 'test',
    },
    stdio: ['ignore', output.fd, output.fd],
    // Its workers are processes of their own: the whole group ends together.
    detached: true,
  });
  await output.close();
  const kill = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // Gone already.
    }
  };
  process.once('exit', kill);
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    const gone = exitOf(child);
    kill();
    await gone;
    process.off('exit', kill);
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  };
  for (const deadline = Date.now() + 1_000 * START_SECONDS; ; await delay(250)) {
    if (await isReady(url)) break;
    if (child.exitCode === null && Date.now() < deadline) continue;
    const said = (await readFile(log, 'utf8')).slice(-3_000);
    await stop();
    throw new Error(`MLflow did not start:\n${said}`);
  }
  return {
    url,
    async get(address) {
      const response = await fetch(`${url}${address}`);
      if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
      return response.json();
    },
    stop,
  };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    (response) => response.ok,
    () => false,
  );
}
