import type { TaskListFilters } from '@/lib/api-client/queries';

export const DOCUMENTS_PAGE = 100;

/** The documents of an extraction in the order in which they came. */
export function documentFilters(extraction: string): TaskListFilters {
  return { extraction, sort: 'created', limit: DOCUMENTS_PAGE };
}
