import { IdParams } from '@/lib/contract/api-requests';
import { computeCostAnswer } from '@/lib/http/compute-cost-answer';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute({ auth: 'metrics.read', params: IdParams }, async ({ runtime, params, user }) =>
  json(await computeCostAnswer(runtime, user, params.id)),
);
