import { TaskFilters } from '@/lib/contract/api-requests';
import { acceptComputeCost, filtersOf } from '@/lib/http/compute-cost-answer';
import { withRoute } from '@/lib/http/route';

/** Asks the slow billing source; the filters are those of `GET /api/v1/metrics`. */
export const POST = withRoute(
  { auth: 'metrics.read', query: TaskFilters },
  async ({ runtime, query, user, request }) =>
    acceptComputeCost(runtime, user, await filtersOf(request, query)),
);
