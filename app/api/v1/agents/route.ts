import { readAgents } from '@/lib/dashboard/agents';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute({ auth: 'agent.read' }, async ({ runtime }) =>
  json({ agents: await readAgents(runtime.db) }),
);
