import { json } from '@/lib/http/json';
import { openApiDocument } from '@/lib/http/openapi';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute({ auth: 'contract.read' }, async ({ runtime }) =>
  json(openApiDocument(runtime.config.url)),
);
