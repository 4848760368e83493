import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitOf } from '../test/exit-of';
import { removeTestHome } from '../test/leftovers';
import { e2ePort } from './instance';

const START = fileURLToPath(new URL('../bin/start.mjs', import.meta.url));

/**
 * Starts the production build on a port and a data folder of its own; resolves to what stops it. While specs are
 * written, TICKMARK_E2E_HOME names the data folder of a Tickmark that runs already and goes on running.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.TICKMARK_E2E_HOME) return async () => {};
  const home = await mkdtemp(path.join(tmpdir(), 'tickmark-e2e-'));
  // The channel ends it even if this process is killed.
  const child = spawn(process.execPath, [START], {
    env: { ...ownEnvironment(), PORT: String(await e2ePort()), TICKMARK_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  await untilReady(child);
  process.env.TICKMARK_E2E_HOME = home;
  return async () => {
    child.kill('SIGTERM');
    await exitOf(child);
    if (process.env.TICKMARK_E2E_KEEP) return;
    await removeTestHome(home);
  };
}

/** Settings of the person who runs the tests must not change what is tested. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign =
    /^(TICKMARK_(?!E2E)|MAX_|MODEL_|AUTH_|MLFLOW_|WEBHOOK_|DATABASE_URL|HOST$|LEASE_|SWEEP_|POLL_|DATABRICKS_)/;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !foreign.test(name)),
  ) as NodeJS.ProcessEnv;
}

async function untilReady(child: ChildProcess): Promise<void> {
  let output = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Tickmark is ready')) resolve();
    });
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Tickmark did not start (exit code ${code}), see above`);
  });
  await Promise.race([ready, ended]);
}
