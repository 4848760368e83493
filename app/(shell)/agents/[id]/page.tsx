import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { keys } from '@/lib/api-client/queries';
import { requireUser } from '@/lib/auth/require-user';
import { may } from '@/lib/auth/roles';
import { AgentParams } from '@/lib/contract/api-requests';
import { readAgentHistory } from '@/lib/dashboard/agent-history';
import { readAgents } from '@/lib/dashboard/agents';
import { appRuntime } from '@/lib/http/app-runtime';
import { firstPage, Hydrate } from '../../../_live/hydrate';
import { AgentView } from './agent-view';
import { HISTORY_PAGE } from './history-page';

interface AgentPageProps {
  readonly params: Promise<{ id: string }>;
}

const load = cache(async (encoded: string) => {
  const user = await requireUser('agent.read', `/agents/${encoded}`);
  const params = AgentParams.safeParse({ id: decode(encoded) });
  if (!params.success) notFound();
  const { db } = await appRuntime();
  const agents = await readAgents(db);
  const agent = agents.find(({ id }) => id === params.data.id);
  if (!agent) notFound();
  return { user, agent, agents };
});

/** Next hands the part of the address on as it was written. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export async function generateMetadata({ params }: AgentPageProps): Promise<Metadata> {
  const { agent } = await load((await params).id);
  return { title: agent.name };
}

export default async function AgentPage({ params }: AgentPageProps) {
  const { user, agent, agents } = await load((await params).id);
  const { db } = await appRuntime();
  const history = await readAgentHistory(db, agent.id, { limit: HISTORY_PAGE, cursor: undefined });
  return (
    <Hydrate
      data={[
        [keys.agents, { agents }],
        [keys.agentHistory(agent.id), firstPage(history)],
      ]}
    >
      <AgentView id={agent.id} mayEdit={may(user.role, 'agent.update')} />
    </Hydrate>
  );
}
