import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { StatusCounts, TaskStatus } from '@/lib/contract/api';
import type { Queryable } from '@/lib/db/client';
import { taskConditions } from './task-filters';

/** How many tasks of each status there are among those that a viewer may see, from the first task to now. */
export async function readStatusCounts(db: Queryable, scope: ClientScope = null): Promise<StatusCounts> {
  const { rows } = await db.execute<{ status: TaskStatus; count: string }>(
    scope === null
      ? sql`
      /* dashboard.status_counts */
      select t.status, count(*)::text as count
      from tickmark.tasks t
      group by t.status`
      : sql`
      /* dashboard.status_counts_of_clients */
      select t.status, count(*)::text as count
      from tickmark.tasks t
      join tickmark.extractions x on x.id = t.extraction_id
      where ${taskConditions({}, scope)}
      group by t.status`,
  );
  const counts: StatusCounts = { enqueued: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 };
  for (const row of rows) counts[row.status] = Number(row.count);
  return counts;
}
