import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import type { TaskListFilters } from '@/lib/api-client/queries';
import type { TaskStatus } from '@/lib/contract/api';
import type { BulkFilter } from '@/lib/contract/api-bulk';
import { TASK_SORTS, type TaskSort } from '@/lib/contract/api-requests';
import { STATUSES } from '../../_ui/status';

/** The filters of the task list, as they stand in the address. */
export const taskFilterParsers = {
  status: parseAsArrayOf(parseAsStringLiteral(STATUSES)).withDefault([]),
  agent: parseAsString.withDefault(''),
  client: parseAsString.withDefault(''),
  q: parseAsString.withDefault(''),
  sort: parseAsStringLiteral(TASK_SORTS).withDefault('-created'),
};

export interface TaskFilterValues {
  readonly status: readonly TaskStatus[];
  readonly agent: string;
  readonly client: string;
  readonly q: string;
  readonly sort: TaskSort;
}

const PAGE = 100;

/** What the API is asked for; empty filters are left out, so that server and browser use one key. */
export function queryFilters(values: TaskFilterValues): TaskListFilters {
  return { limit: PAGE, sort: values.sort, ...bulkFilter(values) };
}

/** The same as an action on all that match means them. */
export function bulkFilter(
  values: TaskFilterValues,
): Pick<TaskListFilters & BulkFilter, keyof TaskFilterValues & keyof BulkFilter> {
  return {
    ...(values.status.length > 0 && { status: [...values.status] }),
    ...(values.agent && { agent: [values.agent] }),
    ...(values.client && { client: [values.client] }),
    ...(values.q.trim() && { q: values.q.trim().slice(0, 200) }),
  };
}

/** Whether these leave anything out. */
export function isFiltered(values: TaskFilterValues): boolean {
  return Object.keys(bulkFilter(values)).length > 0;
}
