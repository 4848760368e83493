import { IdParams } from '@/lib/contract/api-requests';
import { undoAnswer } from '@/lib/http/bulk-answer';
import { withRoute } from '@/lib/http/route';

/** Takes an operation back, as far as that can be done. */
export const POST = withRoute({ auth: 'task.bulk', params: IdParams }, ({ runtime, user, params }) =>
  undoAnswer(runtime, user, params.id),
);
