import 'server-only';
import { sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import { workerIsAlive } from '@/lib/queue/worker-alive';

/** What a monitoring system asks for at each scrape, from the rows. */
export interface Gauges {
  /** Per agent, seconds; only agents with waiting tasks. */
  readonly oldestWaiting: readonly { readonly agent: string; readonly seconds: number }[];
  readonly expiredLeases: number;
  readonly workersAlive: number;
  readonly openBulkOperations: number;
}

interface QueueRow extends Record<string, unknown> {
  expired_leases: number;
  workers_alive: number;
  open_bulk: number;
}

export async function readGauges(db: Db): Promise<Gauges> {
  const [oldest, queue] = await Promise.all([
    db.execute<{ agent_id: string; seconds: number }>(sql`
      /* dashboard.gauge_oldest */
      select t.agent_id, extract(epoch from clock_timestamp() - min(t.created_at))::float8 as seconds
      from tickmark.tasks t
      where t.status = 'enqueued'
      group by t.agent_id`),
    db.execute<QueueRow>(sql`
      /* dashboard.gauge_queue */
      select
        (select count(*)::int from tickmark.tasks t
          where t.status = 'processing' and t.lease_expires_at < clock_timestamp()) as expired_leases,
        (select count(*)::int from tickmark.workers w
          where ${workerIsAlive()}) as workers_alive,
        (select count(*)::int from tickmark.bulk_operations o where o.finished_at is null) as open_bulk`),
  ]);
  const row = queue.rows[0];
  return {
    oldestWaiting: oldest.rows.map(({ agent_id, seconds }) => ({ agent: agent_id, seconds })),
    expiredLeases: row?.expired_leases ?? 0,
    workersAlive: row?.workers_alive ?? 0,
    openBulkOperations: row?.open_bulk ?? 0,
  };
}
