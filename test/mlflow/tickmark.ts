import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from '@/bin/supervisor/ports';
import { exitOf } from '@/test/exit-of';
import { removeTestHome } from '@/test/leftovers';

const START = fileURLToPath(new URL('../../bin/start.mjs', import.meta.url));
const TOKEN = 'a'.repeat(32);

/** The production build with app and worker, on a data folder of its own. */
export interface Tickmark {
  readonly sql: pg.Client;
  /** Uploads documents for an agent; the tasks' ids. */
  upload(agent: string, files: readonly { name: string; bytes: Uint8Array }[]): Promise<string[]>;
  get(address: string): Promise<Record<string, unknown>>;
  post(address: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startTickmark(environment: Record<string, string>): Promise<Tickmark> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'tickmark-e2e-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [START], {
    env: {
      ...ownEnvironment(),
      NODE_ENV: 'production',
      PORT: String(port),
      TICKMARK_HOME: home,
      TICKMARK_ADMIN_TOKEN: TOKEN,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  await untilReady(child);
  const { databaseUrl } = JSON.parse(await readFile(path.join(home, 'instance.json'), 'utf8'));
  const sql = new pg.Client({ connectionString: databaseUrl });
  await sql.connect();
  const call = async (method: string, address: string, body?: FormData) => {
    const response = await fetch(`${url}${address}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}` },
      ...(body ? { body } : {}),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${address} answered ${response.status}: ${answer}`);
    return JSON.parse(answer) as Record<string, unknown>;
  };
  return {
    sql,
    async upload(agent, files) {
      const form = new FormData();
      form.append('agent', agent);
      for (const { name, bytes } of files) {
        form.append('files', new File([new Uint8Array(bytes)], name, { type: 'application/pdf' }));
      }
      const { tasks } = await call('POST', '/api/v1/extractions', form);
      return (tasks as { id: string }[]).map(({ id }) => id);
    },
    get: (address) => call('GET', address),
    post: async (address) => {
      await call('POST', address);
    },
    async stop() {
      await sql.end().catch(() => {});
      child.kill('SIGTERM');
      await exitOf(child);
      await removeTestHome(home);
    },
  };
}

/** Settings of the person who runs the tests must not change what is tested. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign =
    /^(TICKMARK_|MAX_|MODEL_|AUTH_|MLFLOW_|WEBHOOK_|DATABASE_|HOST$|LEASE_|SWEEP_|POLL_|DATABRICKS_|PG)/;
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
