import { AgentParams, AgentPatch } from '@/lib/contract/api-requests';
import { readAgents } from '@/lib/dashboard/agents';
import { DomainError } from '@/lib/errors';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';
import { updateAgent } from '@/lib/queue/update-agent';

/** Changes limits live; only what is sent is changed. */
export const PATCH = withRoute(
  { auth: 'agent.update', params: AgentParams, body: AgentPatch },
  async ({ runtime, params, body, user }) => {
    await updateAgent(runtime.db, { agentId: params.id, changes: body, actor: `user:${user.id}` });
    const [agent] = await readAgents(runtime.db, params.id);
    if (!agent) throw new DomainError('not_found', 'There is no such agent.');
    return json(agent);
  },
);
