import { IdParams } from '@/lib/contract/api-requests';
import { readBulkOperation } from '@/lib/dashboard/bulk-operation';
import { DomainError } from '@/lib/errors';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute({ auth: 'task.bulk', params: IdParams }, async ({ runtime, params }) => {
  const operation = await readBulkOperation(runtime.db, params.id);
  if (!operation) throw new DomainError('not_found', 'There is no such bulk operation.');
  return json(operation);
});
