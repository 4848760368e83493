import 'server-only';
import { statfs } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import type { Health } from '@/lib/contract/api-health';
import { decideConcerns } from '@/lib/dashboard/concerns';
import { readDatabaseHealth } from '@/lib/dashboard/database-health';
import { isoInstant } from '@/lib/dashboard/sql-values';
import { readTraceHealth } from '@/lib/dashboard/trace-health';
import { readWorkerHealth } from '@/lib/dashboard/worker-health';
import type { Db } from '@/lib/db/client';
import { SCHEMA_VERSION } from '@/lib/db/schema-version';
import packageJson from '@/package.json' with { type: 'json' };
import type { AppRuntime } from './app-runtime';

/** However many look on, the database is asked once in this time. */
const SHARED_MS = 2_000;

let shared: { readonly of: AppRuntime; readonly until: number; readonly health: Promise<Health> } | undefined;

/** How every part is, and what needs a person. One answer for all who ask within two seconds. */
export function readHealth(runtime: AppRuntime): Promise<Health> {
  const now = performance.now();
  if (shared && shared.of === runtime && shared.until > now) return shared.health;
  const health = gather(runtime);
  shared = { of: runtime, until: now + SHARED_MS, health };
  // A failure is not shared any longer than it takes to tell those who wait.
  health.catch(() => {
    if (shared?.health === health) shared = undefined;
  });
  return health;
}

async function gather(runtime: AppRuntime): Promise<Health> {
  const { db, config } = runtime;
  const [queue, workers, database, traces, disk] = await Promise.all([
    readQueue(db),
    readWorkerHealth(db),
    readDatabaseHealth(db),
    readTraceHealth(db),
    readDisk(config.home),
  ]);
  const sweeps = workers
    .filter(({ alive }) => alive)
    .flatMap(({ loops }) => loops.filter(({ name }) => name === 'sweeper'))
    .map(({ ageSeconds }) => ageSeconds);
  const facts = {
    ...queue,
    app: appOf(runtime),
    workers,
    sweeperAgeSeconds: sweeps.length > 0 ? Math.min(...sweeps) : null,
    database,
    traces,
    disk,
  };
  return { ...facts, concerns: decideConcerns(facts, config) };
}

let listenerDownSince: number | null = null;

function appOf({ db, live }: AppRuntime): Health['app'] {
  const { totalCount, idleCount, waitingCount, options } = db.$client;
  const listener = live.state === 'live' ? 'live' : live.subscribers > 0 ? 'down' : 'unused';
  const now = performance.now();
  listenerDownSince = listener === 'down' ? (listenerDownSince ?? now) : null;
  return {
    version: packageJson.version,
    schemaVersion: SCHEMA_VERSION,
    listener,
    listenerDownSeconds: listenerDownSince === null ? null : (now - listenerDownSince) / 1000,
    streams: live.subscribers,
    pool: { total: totalCount, idle: idleCount, waiting: waitingCount, max: options.max },
  };
}

async function readQueue(db: Db): Promise<Pick<Health, 'at' | 'expiredLeases' | 'isCopy'>> {
  const { rows } = await db.execute<{ at: string; expired: number; isCopy: boolean }>(sql`
    /* http.health_queue */
    select ${isoInstant(sql`clock_timestamp()`)} as at,
      coalesce((select is_copy from tickmark.settings where id = 1), false) as "isCopy",
      (select count(*)::int from tickmark.tasks t
        where t.status = 'processing' and t.lease_expires_at < clock_timestamp() - interval '1 minute') as expired`);
  return {
    at: rows[0]?.at ?? new Date().toISOString(),
    expiredLeases: rows[0]?.expired ?? 0,
    isCopy: rows[0]?.isCopy ?? false,
  };
}

async function readDisk(folder: string): Promise<Health['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { folder, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}
