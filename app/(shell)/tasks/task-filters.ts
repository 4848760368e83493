import { createSerializer, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import type { TaskListFilters } from '@/lib/api-client/queries';
import { STATUSES } from '../../_ui/status';

/** The filters of the task list, as they stand in the address. */
export const taskFilterParsers = {
  status: parseAsArrayOf(parseAsStringLiteral(STATUSES)).withDefault([]),
  agent: parseAsString.withDefault(''),
  client: parseAsString.withDefault(''),
  q: parseAsString.withDefault(''),
};

/** `/tasks` with filters: `taskListHref('/tasks', { status: ['failed'] })`. */
export const taskListHref = createSerializer(taskFilterParsers);

export interface TaskFilterValues {
  readonly status: readonly (typeof STATUSES)[number][];
  readonly agent: string;
  readonly client: string;
  readonly q: string;
}

const PAGE = 50;

/** What the API is asked for; empty filters are left out, so that server and browser use one key. */
export function queryFilters(values: TaskFilterValues): TaskListFilters {
  return {
    limit: PAGE,
    ...(values.status.length > 0 && { status: [...values.status] }),
    ...(values.agent && { agent: [values.agent] }),
    ...(values.client && { client: [values.client] }),
    ...(values.q.trim() && { q: values.q.trim().slice(0, 200) }),
  };
}
