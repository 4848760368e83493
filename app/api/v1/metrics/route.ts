import { clientScope } from '@/lib/auth/roles';
import { TaskFilters } from '@/lib/contract/api-requests';
import { readMetrics } from '@/lib/dashboard/metrics';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute({ auth: 'metrics.read', query: TaskFilters }, async ({ runtime, query, user }) =>
  json(await readMetrics(runtime.db, query, clientScope(user))),
);
