import { clientScope } from '@/lib/auth/roles';
import { MetricsQuery } from '@/lib/contract/api-metrics';
import { metricsFor } from '@/lib/dashboard/metrics';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute(
  { auth: 'metrics.read', query: MetricsQuery },
  async ({ runtime, query, user }) => json(await metricsFor(runtime, query, clientScope(user))),
);
