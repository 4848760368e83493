import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const START = fileURLToPath(new URL('../bin/start.mjs', import.meta.url));

/** Settings of the person who runs the tests must not change what is tested. */
const FOREIGN =
  /^(TICKMARK_|MAX_|MODEL_|AUTH_|MLFLOW_|WEBHOOK_|DATABASE_URL|HOST$|LEASE_|SWEEP_|POLL_|DATABRICKS_|PG[A-Z]+$|LAKEBASE_)/;

/**
 * Starts the production build with settings of its own; resolves when it is ready.
 * @param logFile takes what it complains about: on Databricks, where nothing but its output is a log, that is everything
 */
export async function startApp(
  settings: Readonly<Record<string, string>>,
  logFile?: string,
): Promise<ChildProcess> {
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'a', 0o600);
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));
  // The channel ends it even if this process is killed.
  const child = spawn(process.execPath, [START], {
    env: { ...own, ...settings } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', log, 'ipc'],
    detached: true,
  });
  if (typeof log === 'number') closeSync(log);
  let output = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      if (output.includes('Tickmark is ready')) resolve();
    });
  });
  const ended = once(child, 'exit').then(([code]) => {
    const words = logFile === undefined ? 'see above' : readFileSync(logFile, 'utf8').slice(-4_000);
    throw new Error(`Tickmark did not start (exit code ${code}): ${words}`);
  });
  await Promise.race([ready, ended]);
  return child;
}

export async function stopApp(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
