import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { TaskFilters } from '@/lib/contract/api-requests';
import { allOf, isOneOf } from './sql-values';

/**
 * The conditions on tasks `t` with their extraction `x` that filters mean; every figure and list takes the same ones.
 * The range is over `created_at`, from inclusive, to exclusive.
 */
export function taskConditions(filters: TaskFilters, scope: ClientScope): SQL {
  const conditions: SQL[] = [];
  if (filters.status) conditions.push(isOneOf(sql`t.status::text`, filters.status));
  if (filters.agent) conditions.push(isOneOf(sql`t.agent_id`, filters.agent));
  if (filters.client) conditions.push(isOneOf(sql`x.client`, filters.client));
  if (filters.extraction)
    conditions.push(sql`t.extraction_id = any(${sql.param([...filters.extraction])}::uuid[])`);
  if (filters.errorCode) conditions.push(isOneOf(sql`t.error_code`, filters.errorCode));
  if (filters.from) conditions.push(sql`t.created_at >= ${filters.from}::timestamptz`);
  if (filters.to) conditions.push(sql`t.created_at < ${filters.to}::timestamptz`);
  if (scope) conditions.push(isOneOf(sql`x.client`, scope));
  return allOf(conditions);
}
