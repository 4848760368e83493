import 'server-only';
import { sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import { workerIsAlive } from '@/lib/queue/worker-alive';

/** A worker that gave a sign lately. */
export interface WorkerSigns {
  readonly id: string;
  readonly version: string;
  /** Seconds since the last run of each loop began, by the database's clock. */
  readonly loops: readonly { readonly loop: string; readonly ageSeconds: number }[];
  /** As prom-client gives metrics as JSON; another version's worker may give others. */
  readonly metrics: readonly object[];
}

interface WorkerRow extends Record<string, unknown> {
  id: string;
  version: string;
  loops: WorkerSigns['loops'] | null;
  metrics: unknown;
}

/** What the workers say of themselves in their heartbeat rows. */
export async function readWorkerSigns(db: Db): Promise<WorkerSigns[]> {
  const { rows } = await db.execute<WorkerRow>(sql`
    /* dashboard.workers */
    select w.id, w.version, w.metrics,
      (select jsonb_agg(jsonb_build_object('loop', l.key, 'ageSeconds',
          extract(epoch from clock_timestamp() - w.heartbeat_at) + (l.value->>'agoMs')::float8 / 1000))
        from jsonb_each(w.loops) l where jsonb_typeof(l.value->'agoMs') = 'number') as loops
    from tickmark.workers w
    where ${workerIsAlive()}
    order by w.id`);
  return rows.map(({ id, version, loops, metrics }) => ({
    id,
    version,
    loops: loops ?? [],
    metrics: Array.isArray(metrics) ? metrics : [],
  }));
}
