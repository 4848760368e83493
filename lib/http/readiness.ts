import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import { SCHEMA_VERSION } from '@/lib/db/schema-version';
import { readSchemaVersion } from '@/lib/db/wait-for-schema';
import { workerIsAlive } from '@/lib/queue/worker-alive';
import { appRuntime } from './app-runtime';

/** A probe wants an answer, not patience. */
const PATIENCE_MS = 3_000;

interface Check {
  readonly ok: boolean;
  readonly detail: string;
}

export interface Readiness {
  readonly status: 'ready' | 'not_ready';
  readonly checks: Readonly<Record<'database' | 'migrations' | 'worker', Check>>;
}

const UNKNOWN: Check = { ok: false, detail: 'not known without the database' };
const AWAY: Readiness['checks'] = {
  database: { ok: false, detail: 'does not answer, or is not set up yet' },
  migrations: UNKNOWN,
  worker: UNKNOWN,
};

/** Whether work that is handed in now will be done: database there, schema up to date, a worker alive. Never throws. */
export async function checkReadiness(): Promise<Readiness> {
  const asked = appRuntime()
    .then(({ db }) => runChecks(db))
    .catch(() => AWAY);
  const checks = await Promise.race([asked, delay(PATIENCE_MS, AWAY, { ref: false })]);
  const ready = checks.database.ok && checks.migrations.ok && checks.worker.ok;
  return { status: ready ? 'ready' : 'not_ready', checks };
}

async function runChecks(db: Db): Promise<Readiness['checks']> {
  const version = await readSchemaVersion(db);
  const current = version !== null && version >= SCHEMA_VERSION;
  return {
    database: { ok: true, detail: 'answers' },
    migrations: { ok: current, detail: current ? 'up to date' : 'run npm run db:migrate' },
    worker: current ? await checkWorker(db) : { ok: false, detail: 'not known before the schema is there' },
  };
}

async function checkWorker(db: Db): Promise<Check> {
  const { rows } = await db.execute<{ alive: boolean }>(sql`
    /* http.worker_alive */
    select exists (select from tickmark.workers w where ${workerIsAlive()}) as alive`);
  const ok = rows[0]?.alive === true;
  return { ok, detail: ok ? 'alive' : 'none has given a sign lately' };
}
