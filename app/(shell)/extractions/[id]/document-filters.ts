import type { TaskListFilters } from '@/lib/api-client/queries';

export const DOCUMENTS_PAGE = 100;

/** So many failures are grouped; with more, the groups speak of the first ones. */
const FAILURES = 200;

/** The failed documents of an extraction. */
export function failureFilters(extraction: string): TaskListFilters {
  return { extraction: [extraction], status: ['failed'], sort: 'created', limit: FAILURES };
}

/** The documents of an extraction in the order in which they came. */
export function documentFilters(extraction: string): TaskListFilters {
  return { extraction: [extraction], sort: 'created', limit: DOCUMENTS_PAGE };
}
