'use client';

import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { agentsQuery } from '@/lib/api-client/queries';
import { Button } from '../../../_ui/button';
import { ErrorState } from '../../../_ui/error-state';
import { PageHeader } from '../../../_ui/page-header';
import { AgentDialog } from '../agent-dialog';
import { AgentGauges } from '../agent-gauges';
import { AgentState } from '../agent-state';
import { DrainButton, PauseButton } from '../pause-button';
import { THROTTLE_WORDS } from '../setting-words';
import { AgentEstimates } from './agent-estimates';
import { AgentHistory } from './agent-history';
import { AgentSettings } from './agent-settings';
import { useAgentCommands } from './use-agent-commands';

/** One agent: what it does against what it may, how it is set, how well it is estimated, who changed what. */
export function AgentView({ id, mayEdit }: { readonly id: string; readonly mayEdit: boolean }) {
  const { data, error, refetch } = useQuery(agentsQuery());
  const [editing, setEditing] = useState(false);
  const agent = data?.agents.find((one) => one.id === id);
  useAgentCommands(mayEdit ? agent : undefined, () => setEditing(true));
  if (!agent) {
    return error ? (
      <ErrorState
        title="The agent could not be loaded"
        message={error.message}
        onRetry={() => void refetch()}
      />
    ) : null;
  }
  return (
    <>
      <PageHeader
        crumbs={[{ href: '/agents', label: 'Agents' }]}
        title={
          <span className="flex flex-wrap items-center gap-x-3">
            {agent.name}
            <code className="font-mono font-normal text-muted text-xs tracking-normal">
              {agent.id} v{agent.version}
            </code>
            <AgentState agent={agent} />
          </span>
        }
        lead={agent.description}
        actions={
          mayEdit && (
            <>
              <DrainButton agent={agent} />
              <PauseButton agent={agent} />
              <Button onClick={() => setEditing(true)}>
                <Pencil /> Edit
              </Button>
            </>
          )
        }
      />
      <div className="flex max-w-4xl flex-col gap-8">
        <section aria-labelledby="now" className="border-line border-y py-4">
          <h2 id="now" className="sr-only">
            Now
          </h2>
          <AgentGauges agent={agent} />
          <p className="mt-3 text-muted text-sm">{THROTTLE_WORDS[agent.throttleMode]}</p>
        </section>
        <AgentSettings agent={agent} />
        <AgentEstimates agent={agent} />
        <AgentHistory id={agent.id} />
      </div>
      {editing && <AgentDialog agent={agent} onClose={() => setEditing(false)} />}
    </>
  );
}
