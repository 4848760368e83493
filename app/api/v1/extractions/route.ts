import { clientScope } from '@/lib/auth/roles';
import { ExtractionListQuery } from '@/lib/contract/api-requests';
import { readExtractionList } from '@/lib/dashboard/extraction-list';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';
import { submitExtraction } from '@/lib/http/submit-extraction';

export const GET = withRoute(
  { auth: 'extraction.read', query: ExtractionListQuery },
  async ({ runtime, query, user }) => json(await readExtractionList(runtime.db, query, clientScope(user))),
);

/** JSON opens an empty extraction; multipart brings the first files along. */
export const POST = withRoute({ auth: 'extraction.create' }, submitExtraction);
