import { clientScope } from '@/lib/auth/roles';
import { IdParams } from '@/lib/contract/api-requests';
import { readExtractionChecks } from '@/lib/dashboard/extraction-checks';
import { readExtraction } from '@/lib/dashboard/extraction-detail';
import { DomainError } from '@/lib/errors';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute(
  { auth: 'extraction.read', params: IdParams },
  async ({ runtime, params, user }) => {
    const extraction = await readExtraction(runtime.db, params.id, clientScope(user));
    if (!extraction) throw new DomainError('not_found', 'There is no such extraction.');
    return json(await readExtractionChecks(runtime.db, extraction.id));
  },
);
