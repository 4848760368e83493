'use client';

import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { agentsQuery } from '@/lib/api-client/queries';
import type { Agent } from '@/lib/contract/api-agents';
import { Button } from '../../_ui/button';
import { ErrorState } from '../../_ui/error-state';
import { formatCount } from '../../_ui/format/count';
import { formatSeconds } from '../../_ui/format/duration';
import { SkeletonRows } from '../../_ui/skeleton';
import { Time } from '../../_ui/time';
import { AgentDialog } from './agent-dialog';
import { Gauge } from './gauge';
import { limitNote, nextStepWords } from './limit-note';
import { PauseButton } from './pause-button';

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

const THROTTLE_WORDS: Record<Agent['throttleMode'], string> = {
  none: 'Not throttled by itself',
  concurrency: 'Throttled by tasks at once',
  tokens: 'Throttled by tokens a minute',
  both: 'Throttled by both, the stricter rules',
};

function AgentItem({ agent, mayEdit }: { readonly agent: Agent; readonly mayEdit: boolean }) {
  const [editing, setEditing] = useState(false);
  return (
    <li className="grid gap-x-8 gap-y-4 py-5 lg:grid-cols-[minmax(14rem,1.2fr)_minmax(0,2fr)_auto]">
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-x-2 font-medium text-lg">
          {agent.name}
          <code className="font-mono font-normal text-muted text-xs">
            {agent.id} v{agent.version}
          </code>
          {agent.paused && <State>Paused</State>}
          {agent.coolingUntil && (
            <State>
              Cooling until <Time at={agent.coolingUntil} detail="clock" />
            </State>
          )}
        </h2>
        <p className="max-w-[60ch] text-muted text-sm">{agent.description}</p>
      </div>
      <div className="grid grid-cols-3 gap-x-4 gap-y-3 sm:gap-x-8">
        <Gauge
          label="In flight"
          value={agent.counts.processing}
          limit={agent.effective.maxConcurrentTasks}
          note={limitNote(agent, 'maxConcurrentTasks')}
        />
        <dl>
          <dt className="text-muted text-xs">Waiting</dt>
          <dd className="tabular font-medium text-lg">{formatCount(agent.counts.enqueued)}</dd>
        </dl>
        <dl>
          <dt className="text-muted text-xs">Tokens a minute</dt>
          <dd className="tabular font-medium text-lg">
            {agent.effective.maxTpm === null ? 'no limit' : `at most ${formatCount(agent.effective.maxTpm)}`}
          </dd>
          <dd className="text-muted text-xs">{limitNote(agent, 'maxTpm')}</dd>
        </dl>
        <p className="text-muted text-sm col-span-3">
          {THROTTLE_WORDS[agent.throttleMode]} · {agent.maxAttempts}{' '}
          {agent.maxAttempts === 1 ? 'attempt' : 'attempts'} · a run may take{' '}
          {formatSeconds(agent.maxRunSeconds)}
        </p>
        {agent.lowered && <Lowered lowered={agent.lowered} />}
      </div>
      {mayEdit && (
        <div className="flex items-start gap-2 lg:justify-end">
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

/** Why the limits that hold are not those that are set, and when they come back. */
function Lowered({ lowered }: { readonly lowered: NonNullable<Agent['lowered']> }) {
  return (
    <p className="col-span-3 text-muted text-sm">
      Lowered at <Time at={lowered.since} />: {lowered.reason.replace(/[.\s]+$/, '')}. Next{' '}
      {nextStepWords(lowered)} at <Time at={lowered.next.at} detail="clock" />, unless it happens again.
    </p>
  );
}

function State({ children }: { readonly children: ReactNode }) {
  return <span className="rounded-sm bg-sunken px-1.5 font-normal text-muted text-xs">{children}</span>;
}
