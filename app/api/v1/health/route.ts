import { readHealth } from '@/lib/http/health';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';

/** How every part is, and what needs a person. */
export const GET = withRoute({ auth: 'health.read' }, async ({ runtime }) => json(await readHealth(runtime)));
