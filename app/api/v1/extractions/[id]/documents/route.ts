import { IdParams } from '@/lib/contract/api-requests';
import { withRoute } from '@/lib/http/route';
import { submitDocuments } from '@/lib/http/submit-extraction';

/** One file or many, streamed to the store. */
export const POST = withRoute({ auth: 'extraction.create', params: IdParams }, (input) =>
  submitDocuments(input, input.params.id),
);
