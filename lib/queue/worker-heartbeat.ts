import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';

/** One worker process, from its start to its end. */
export interface WorkerProcess {
  /** Unique per start. */
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
}

/** Says that a worker is alive; the first time, that it is there. */
export async function beat(db: Queryable, worker: WorkerProcess): Promise<void> {
  await db.execute(sql`
    /* queue.beat */
    insert into tickmark.workers (id, host, pid, version)
    values (${worker.id}, ${worker.host}, ${worker.pid}, ${worker.version})
    on conflict (id) do update set heartbeat_at = clock_timestamp()`);
}

/** Removes a worker that leaves, and those that were killed and have not been heard of for a day. */
export async function leave(db: Queryable, workerId: string): Promise<void> {
  await db.execute(sql`
    /* queue.leave */
    delete from tickmark.workers
    where id = ${workerId} or heartbeat_at < clock_timestamp() - interval '1 day'`);
}
