import { BulkRequest } from '@/lib/contract/api-bulk';
import { bulkAnswer } from '@/lib/http/bulk-answer';
import { withRoute } from '@/lib/http/route';

/** Cancels, retries or reprioritises many tasks: opens the operation, or says what it would do. */
export const POST = withRoute({ auth: 'task.bulk', body: BulkRequest }, ({ runtime, body, user, request }) =>
  bulkAnswer(runtime, user, body, request.headers),
);
