'use client';

import type { Agent } from '@/lib/contract/api-agents';
import { formatCount, formatShort } from '../../_ui/format/count';
import { Time } from '../../_ui/time';
import { Gauge } from './gauge';
import { limitNote, nextStepWords } from './limit-note';

/** What an agent does now against what it may, and why it may no more. */
export function AgentGauges({ agent }: { readonly agent: Agent }) {
  const { effective, counts, inUse } = agent;
  return (
    <div className="grid grid-cols-3 gap-x-4 gap-y-3 sm:gap-x-8">
      <Gauge
        label="In flight"
        value={inUse.tasks}
        limit={effective.maxConcurrentTasks}
        set={agent.maxConcurrentTasks}
        format={formatCount}
        note={limitNote(agent, 'maxConcurrentTasks')}
      />
      <Gauge
        label="Tokens a minute"
        value={inUse.tpm}
        limit={effective.maxTpm}
        set={agent.maxTpm}
        format={formatShort}
        note={limitNote(agent, 'maxTpm')}
      />
      <dl>
        <dt className="text-muted text-xs">Waiting</dt>
        <dd className="tabular font-medium text-lg">{formatCount(counts.enqueued)}</dd>
      </dl>
      {agent.lowered && <Lowered lowered={agent.lowered} />}
    </div>
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
