import { createSerializer, type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import type { TaskListFilters } from '@/lib/api-client/queries';
import type { BulkFilter } from '@/lib/contract/api-bulk';
import { TASK_SORTS } from '@/lib/contract/task-sorts';
import { filterParsers, filterQuery } from '../../_filters/filters';

/** The filters of the task list, as they stand in the address. */
export const taskFilterParsers = {
  ...filterParsers,
  q: parseAsString.withDefault(''),
  sort: parseAsStringLiteral(TASK_SORTS).withDefault('-created'),
};
export type TaskFilterValues = inferParserType<typeof taskFilterParsers>;

/** `?status=failed&sort=-cost`, or nothing. */
export const taskListSearch = createSerializer(taskFilterParsers);

const PAGE = 100;

/**
 * What the API is asked for; empty filters are left out, so that server and browser use one key.
 * @param now milliseconds; ranges such as the last seven days end there
 */
export function queryFilters(values: TaskFilterValues, timeZone: string, now: number): TaskListFilters {
  return { limit: PAGE, sort: values.sort, ...bulkFilter(values, timeZone, now) };
}

/** The same as an action on all that match means them. */
export function bulkFilter(
  values: TaskFilterValues,
  timeZone: string,
  now: number,
): Omit<TaskListFilters, 'limit' | 'sort'> & BulkFilter {
  const { errorCode: _, ...filters } = filterQuery(values, timeZone, now);
  const q = values.q.trim().slice(0, 200);
  return { ...filters, ...(q && { q }) };
}
