import 'server-only';
import { sql } from 'drizzle-orm';
import type { LoopSigns, WorkerHealth } from '@/lib/contract/api-health';
import type { Db } from '@/lib/db/client';
import { workerIsAlive } from '@/lib/queue/worker-alive';
import { isoInstant } from './sql-values';

interface WorkerRow extends Record<string, unknown> {
  id: string;
  host: string;
  pid: number;
  version: string;
  schema_version: string | null;
  alive: boolean;
  started_at: string;
  heartbeat_at: string;
  silent_seconds: number;
  loops: unknown;
}

/** All workers that are known: the living, and those that went silent and are not forgotten yet. */
export async function readWorkerHealth(db: Db): Promise<WorkerHealth[]> {
  const { rows } = await db.execute<WorkerRow>(sql`
    /* dashboard.health_workers */
    select w.id, w.host, w.pid, w.version, w.schema_version, ${workerIsAlive()} as alive,
      ${isoInstant(sql`w.started_at`)} as started_at, ${isoInstant(sql`w.heartbeat_at`)} as heartbeat_at,
      greatest(0, extract(epoch from clock_timestamp() - w.heartbeat_at))::float8 as silent_seconds, w.loops
    from tickmark.workers w
    order by alive desc, w.started_at desc, w.id
    limit 200`);
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    pid: row.pid,
    version: row.version,
    schemaVersion: row.schema_version === null ? null : Number(row.schema_version),
    alive: row.alive,
    startedAt: row.started_at,
    heartbeatAt: row.heartbeat_at,
    silentSeconds: row.silent_seconds,
    loops: loopsOf(row.loops, row.silent_seconds),
  }));
}

/** A worker of another version may report other things; what can't be read is left out. */
function loopsOf(reported: unknown, silentSeconds: number): LoopSigns[] {
  if (typeof reported !== 'object' || reported === null) return [];
  const loops = Object.entries(reported as Record<string, unknown>).sort(([a], [b]) => a.localeCompare(b));
  return loops.flatMap(([name, value]) => {
    const { agoMs, tookMs, runs, failures } = (value ?? {}) as Record<string, unknown>;
    const numbers = [agoMs, tookMs, runs, failures].map((one) =>
      typeof one === 'number' ? one : Number.NaN,
    );
    if (!numbers.every((one) => Number.isFinite(one) && one >= 0)) return [];
    const [ago = 0, took = 0, ran = 0, failed = 0] = numbers;
    return [
      {
        name,
        ageSeconds: silentSeconds + ago / 1000,
        tookMs: took,
        runs: Math.round(ran),
        failures: Math.round(failed),
      },
    ];
  });
}
