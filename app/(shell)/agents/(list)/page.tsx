import type { Metadata } from 'next';
import { keys } from '@/lib/api-client/queries';
import { requireUser } from '@/lib/auth/require-user';
import { may } from '@/lib/auth/roles';
import { readAgents } from '@/lib/dashboard/agents';
import { appRuntime } from '@/lib/http/app-runtime';
import { Hydrate } from '../../../_live/hydrate';
import { PageHeader } from '../../../_ui/page-header';
import { AgentList } from '../agent-list';

export const metadata: Metadata = { title: 'Agents' };

export default async function AgentsPage() {
  const user = await requireUser('agent.read', '/agents');
  const { db } = await appRuntime();
  const agents = await readAgents(db);
  return (
    <Hydrate data={[[keys.agents, { agents }]]}>
      <PageHeader
        title="Agents"
        lead="An agent runs at most as many tasks at once, and uses at most as many tokens a minute, as its limits say. What does not fit waits."
      />
      <AgentList mayEdit={may(user.role, 'agent.update')} />
    </Hydrate>
  );
}
