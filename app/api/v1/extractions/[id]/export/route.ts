import { clientScope } from '@/lib/auth/roles';
import { ExportQuery, IdParams } from '@/lib/contract/api-requests';
import { readExtraction } from '@/lib/dashboard/extraction-detail';
import { DomainError } from '@/lib/errors';
import { exportAnswer } from '@/lib/http/export-answer';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute(
  { auth: 'result.export', params: IdParams, query: ExportQuery },
  async ({ runtime, params, query, user }) => {
    const extraction = await readExtraction(runtime.db, params.id, clientScope(user));
    if (!extraction) throw new DomainError('not_found', 'There is no such extraction.');
    return exportAnswer(runtime.db, extraction, query.format);
  },
);
