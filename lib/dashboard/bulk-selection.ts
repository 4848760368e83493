import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { TaskStatus } from '@/lib/contract/api';
import type { BulkAction, BulkRequest } from '@/lib/contract/api-bulk';
import type { Queryable } from '@/lib/db/client';
import { DomainError } from '@/lib/errors';
import { CHANGED, currentFacts } from './metrics/loose';
import { spanOf } from './metrics/periods';
import { selectionOf } from './metrics/selection';
import { allOf } from './sql-values';
import { taskConditions } from './task-filters';
import { taskSource } from './task-row';
import { searchCondition } from './task-search';

/** What each action can change; a filter means these alone. */
const ACTS_ON: Record<BulkAction, readonly TaskStatus[]> = {
  cancel: ['enqueued', 'processing'],
  retry: ['failed', 'cancelled'],
  reprioritise: ['enqueued', 'processing'],
};

/** Next to be claimed first: what is cancelled in that order has the least time to start. */
export const BULK_ORDER = sql`b.priority desc, b.created_at, b.id`;

/**
 * A query for `id`, `priority` and `created_at` of the tasks that a request means, as far as the caller may see them. What a
 * filter means is found in facts, and in the rows of what has changed since: the hot tables have no index for it.
 */
export async function bulkTasks(
  db: Queryable,
  { action, filter = {}, ids }: BulkRequest,
  scope: ClientScope,
): Promise<SQL> {
  if (ids) {
    return sql`
      select t.id, t.priority, t.created_at
      from ${taskSource}
      where ${allOf([hasId(ids), taskConditions({}, scope)])}`;
  }
  const asked = filter ?? {};
  const selection = selectionOf(asked, scope);
  const statuses = ACTS_ON[action].filter((status) => selection.statuses?.includes(status) ?? true);
  const matches = asked.q ? await searchCondition(db, asked.q) : () => sql`true`;
  return sql`
    with ${CHANGED}
    select s.task_id as id, s.priority, s.created_at
    from (${currentFacts(spanOf(asked), { ...selection, statuses }, matches)}) s`;
}

/** The ids of these tasks. */
export async function bulkSelection(db: Queryable, request: BulkRequest, scope: ClientScope): Promise<SQL> {
  return sql`select b.id from (${await bulkTasks(db, request, scope)}) b order by ${BULK_ORDER}`;
}

/** Throws `not_found` when ids were sent that are no tasks, or none that the caller may see: better none than some. */
export async function requireTasks(db: Queryable, request: BulkRequest, scope: ClientScope): Promise<void> {
  if (!request.ids) return;
  const ids = new Set(request.ids.map((id) => id.toLowerCase()));
  const { rows } = await db.execute<{ id: string }>(sql`
    /* dashboard.bulk_known */
    select b.id from (${await bulkTasks(db, request, scope)}) b`);
  for (const { id } of rows) ids.delete(id);
  const [first] = ids;
  if (!first) return;
  const more = ids.size > 1 ? ` and ${ids.size - 1} more` : '';
  throw new DomainError('not_found', `There is no such task: ${first}${more}. Nothing was changed.`);
}

function hasId(ids: readonly string[]): SQL {
  return sql`t.id in (select i.id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as i (id))`;
}
