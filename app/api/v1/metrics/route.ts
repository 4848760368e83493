import { clientScope } from '@/lib/auth/roles';
import { MetricsQuery } from '@/lib/contract/api-metrics';
import { metricsFor } from '@/lib/dashboard/metrics';
import { pacedJson } from '@/lib/http/paced-json';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute(
  { auth: 'metrics.read', query: MetricsQuery },
  async ({ runtime, query, user }) =>
    pacedJson(runtime.db, await metricsFor(runtime, query, clientScope(user))),
);
