import { clientScope } from '@/lib/auth/roles';
import { IdParams } from '@/lib/contract/api-requests';
import { findDocument } from '@/lib/dashboard/document';
import { DomainError } from '@/lib/errors';
import { documentAnswer } from '@/lib/http/document-answer';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute(
  { auth: 'document.read', params: IdParams },
  async ({ request, runtime, params, user }) => {
    const document = await findDocument(runtime.db, params.id, clientScope(user));
    if (!document) throw new DomainError('not_found', 'There is no such document.');
    return documentAnswer(request, document, runtime.documents, runtime.log);
  },
);
