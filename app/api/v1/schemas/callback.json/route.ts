import { z } from 'zod';
import { Callback } from '@/lib/contract/callback';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';

/** What agents send, for authors in any language. */
export const GET = withRoute({ auth: 'contract.read' }, async () =>
  json(z.toJSONSchema(Callback, { io: 'input', unrepresentable: 'any' })),
);
