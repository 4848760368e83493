import { AgentHistoryQuery, AgentParams } from '@/lib/contract/api-requests';
import { readAgentHistory } from '@/lib/dashboard/agent-history';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';

/** Who changed what of an agent, when, from what to what; newest first. */
export const GET = withRoute(
  { auth: 'agent.read', params: AgentParams, query: AgentHistoryQuery },
  async ({ runtime, params, query }) => json(await readAgentHistory(runtime.db, params.id, query)),
);
