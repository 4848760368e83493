'use client';

import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { agentsQuery } from '@/lib/api-client/queries';
import type { Agent } from '@/lib/contract/api-agents';
import { Button } from '../../_ui/button';
import { ErrorState } from '../../_ui/error-state';
import { formatSeconds } from '../../_ui/format/duration';
import { SkeletonRows } from '../../_ui/skeleton';
import { AgentDialog } from './agent-dialog';
import { AgentGauges } from './agent-gauges';
import { AgentState } from './agent-state';
import { DrainButton, PauseButton } from './pause-button';
import { THROTTLE_WORDS } from './setting-words';

/** Each agent with what it does now, against what it may. */
export function AgentList({ mayEdit }: { readonly mayEdit: boolean }) {
  const { data, error, isPending, refetch } = useQuery(agentsQuery());
  if (isPending) return <SkeletonRows rows={5} />;
  if (!data) {
    return (
      <ErrorState
        title="The agents could not be loaded"
        message={error.message}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <ul className="divide-y divide-line border-line border-y">
      {data.agents.map((agent) => (
        <AgentItem key={agent.id} agent={agent} mayEdit={mayEdit} />
      ))}
    </ul>
  );
}

function AgentItem({ agent, mayEdit }: { readonly agent: Agent; readonly mayEdit: boolean }) {
  const [editing, setEditing] = useState(false);
  return (
    <li className="grid gap-x-8 gap-y-4 py-5 lg:grid-cols-[minmax(14rem,1.2fr)_minmax(0,2fr)_auto]">
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-x-2 font-medium text-lg">
          <Link href={`/agents/${encodeURIComponent(agent.id)}`} className="rounded-sm hover:underline">
            {agent.name}
          </Link>
          <code className="font-mono font-normal text-muted text-xs">
            {agent.id} v{agent.version}
          </code>
          <AgentState agent={agent} />
        </h2>
        <p className="max-w-[60ch] text-muted text-sm">{agent.description}</p>
      </div>
      <div className="flex flex-col gap-3">
        <AgentGauges agent={agent} />
        <p className="text-muted text-sm">
          {THROTTLE_WORDS[agent.throttleMode]} · {agent.maxAttempts}{' '}
          {agent.maxAttempts === 1 ? 'attempt' : 'attempts'} · a run may take{' '}
          {formatSeconds(agent.maxRunSeconds)}
        </p>
      </div>
      {mayEdit && (
        <div className="flex flex-wrap items-start gap-2 lg:justify-end">
          <DrainButton agent={agent} />
          <PauseButton agent={agent} />
          <Button onClick={() => setEditing(true)}>
            <Pencil /> Edit
          </Button>
          {editing && <AgentDialog agent={agent} onClose={() => setEditing(false)} />}
        </div>
      )}
    </li>
  );
}
