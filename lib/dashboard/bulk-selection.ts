import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { TaskStatus } from '@/lib/contract/api';
import type { BulkAction, BulkRequest } from '@/lib/contract/api-bulk';
import type { Queryable } from '@/lib/db/client';
import { DomainError } from '@/lib/errors';
import { allOf, isOneOf } from './sql-values';
import { taskConditions, taskSearch } from './task-filters';
import { taskSource } from './task-row';

/** What each action can change; a filter means these alone. */
const ACTS_ON: Record<BulkAction, readonly TaskStatus[]> = {
  cancel: ['enqueued', 'processing'],
  retry: ['failed', 'cancelled'],
  reprioritise: ['enqueued', 'processing'],
};

/** Which tasks `t` (with extraction `x`, document `d`) a request means, as far as the caller may see them. */
export function bulkCondition({ action, filter, ids }: BulkRequest, scope: ClientScope): SQL {
  if (ids) return allOf([hasId(ids), taskConditions({}, scope)]);
  const conditions = [taskConditions(filter ?? {}, scope), isOneOf(sql`t.status::text`, ACTS_ON[action])];
  if (filter?.q) conditions.push(taskSearch(filter.q));
  return allOf(conditions);
}

/** Next to be claimed first: what is cancelled in that order has the least time to start. */
export const BULK_ORDER = sql`t.priority desc, t.created_at, t.id`;

/** The ids of these tasks. */
export function bulkSelection(request: BulkRequest, scope: ClientScope): SQL {
  return sql`select t.id from ${taskSource} where ${bulkCondition(request, scope)} order by ${BULK_ORDER}`;
}

/** Throws `not_found` when ids were sent that are no tasks, or none that the caller may see: better none than some. */
export async function requireTasks(db: Queryable, request: BulkRequest, scope: ClientScope): Promise<void> {
  if (!request.ids) return;
  const ids = new Set(request.ids.map((id) => id.toLowerCase()));
  const { rows } = await db.execute<{ id: string }>(sql`
    /* dashboard.bulk_known */
    select t.id from ${taskSource} where ${bulkCondition(request, scope)}`);
  for (const { id } of rows) ids.delete(id);
  const [first] = ids;
  if (!first) return;
  const more = ids.size > 1 ? ` and ${ids.size - 1} more` : '';
  throw new DomainError('not_found', `There is no such task: ${first}${more}. Nothing was changed.`);
}

function hasId(ids: readonly string[]): SQL {
  return sql`t.id in (select i.id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as i (id))`;
}
