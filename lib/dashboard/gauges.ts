import 'server-only';
import { sql } from 'drizzle-orm';
import type { TaskStatus } from '@/lib/contract/api';
import type { Db } from '@/lib/db/client';
import { workerIsAlive } from '@/lib/queue/worker-alive';

/** What a monitoring system asks for at each scrape, from the rows. */
export interface Gauges {
  readonly tasks: readonly { readonly agent: string; readonly status: TaskStatus; readonly count: number }[];
  readonly oldestWaitingSeconds: number;
  readonly expiredLeases: number;
  readonly workersAlive: number;
}

interface TaskRow extends Record<string, unknown> {
  agent_id: string;
  status: TaskStatus;
  count: string;
}

interface QueueRow extends Record<string, unknown> {
  oldest_waiting_seconds: number;
  expired_leases: number;
  workers_alive: number;
}

export async function readGauges(db: Db): Promise<Gauges> {
  const [tasks, queue] = await Promise.all([
    db.execute<TaskRow>(sql`
      /* dashboard.gauge_tasks */
      select t.agent_id, t.status, count(*)::text as count
      from tickmark.tasks t
      group by t.agent_id, t.status`),
    db.execute<QueueRow>(sql`
      /* dashboard.gauge_queue */
      select
        coalesce((select extract(epoch from clock_timestamp() - min(t.created_at))::float8
          from tickmark.tasks t where t.status = 'enqueued'), 0) as oldest_waiting_seconds,
        (select count(*)::int from tickmark.tasks t
          where t.status = 'processing' and t.lease_expires_at < clock_timestamp()) as expired_leases,
        (select count(*)::int from tickmark.workers w
          where ${workerIsAlive()}) as workers_alive`),
  ]);
  const row = queue.rows[0];
  return {
    tasks: tasks.rows.map(({ agent_id, status, count }) => ({
      agent: agent_id,
      status,
      count: Number(count),
    })),
    oldestWaitingSeconds: row?.oldest_waiting_seconds ?? 0,
    expiredLeases: row?.expired_leases ?? 0,
    workersAlive: row?.workers_alive ?? 0,
  };
}
