import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';

/** One worker process, from its start to its end. */
export interface WorkerProcess {
  /** Unique per start. */
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** The newest migration that its code knows. */
  readonly schemaVersion?: number;
}

/** What one loop of a worker says of itself. */
export interface LoopReport {
  /** How long before this report its last run began. No instant: the database's clock alone counts. */
  readonly agoMs: number;
  readonly tookMs: number;
  readonly runs: number;
  readonly failures: number;
}

/** What a worker says of itself besides; what is left out stays as it was. */
export interface WorkerReport {
  readonly loops?: Readonly<Record<string, LoopReport>>;
  /** As prom-client gives them as JSON. */
  readonly metrics?: unknown;
}

/** Says that a worker is alive; the first time, that it is there. */
export async function beat(db: Queryable, worker: WorkerProcess, report: WorkerReport = {}): Promise<void> {
  const loops = report.loops ? JSON.stringify(report.loops) : null;
  const metrics = report.metrics === undefined ? null : JSON.stringify(report.metrics);
  await db.execute(sql`
    /* queue.beat */
    insert into tickmark.workers as w (id, host, pid, version, schema_version, loops, metrics)
    values (${worker.id}, ${worker.host}, ${worker.pid}, ${worker.version}, ${worker.schemaVersion ?? null}::bigint, coalesce(${loops}::jsonb, '{}'), ${metrics}::jsonb)
    on conflict (id) do update
    set heartbeat_at = clock_timestamp(),
      loops = coalesce(${loops}::jsonb, w.loops), metrics = coalesce(${metrics}::jsonb, w.metrics)`);
}

/** Removes a worker that leaves. */
export async function leave(db: Queryable, workerId: string): Promise<void> {
  await db.execute(sql`
    /* queue.leave */
    delete from tickmark.workers where id = ${workerId}`);
}
