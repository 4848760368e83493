import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const START = fileURLToPath(new URL('../bin/start.mjs', import.meta.url));

/** Settings of the person who runs the tests must not change what is tested. */
const FOREIGN =
  /^(TICKMARK_|MAX_|MODEL_|AUTH_|MLFLOW_|WEBHOOK_|DATABASE_URL|HOST$|LEASE_|SWEEP_|POLL_|DATABRICKS_|PG[A-Z]+$|LAKEBASE_)/;

/** Starts the production build with settings of its own; resolves when it is ready. */
export async function startApp(settings: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));
  // The channel ends it even if this process is killed.
  const child = spawn(process.execPath, [START], {
    env: { ...own, ...settings } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  let output = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      if (output.includes('Tickmark is ready')) resolve();
    });
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Tickmark did not start (exit code ${code}), see above`);
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
