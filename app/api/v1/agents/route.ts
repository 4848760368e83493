import { readAgents } from '@/lib/dashboard/agents';
import { dashboardOf } from '@/lib/dashboard/dashboard-reads';
import { pacedJson } from '@/lib/http/paced-json';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute({ auth: 'agent.read' }, async ({ runtime: { db } }) =>
  pacedJson(db, { agents: await dashboardOf(db).share('agents', () => readAgents(db)) }),
);
