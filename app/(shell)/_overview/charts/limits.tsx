'use client';

import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '@/lib/api-client/queries';
import type { Agent } from '@/lib/contract/api-agents';
import { CHART_HEIGHT, Chart } from '../../../_charts/chart';
import { formatCount } from '../../../_ui/format/count';

interface LimitsProps {
  /** Only these; none: all. */
  readonly only: readonly string[];
  readonly colorOf: (id: string) => string;
}

/** What is in flight now against what each agent may have: the limit that is set, and the one that holds. */
export function Limits({ only, colorOf }: LimitsProps) {
  const { data } = useQuery(agentsQuery());
  const agents = (data?.agents ?? []).filter(({ id }) => only.length === 0 || only.includes(id));
  const scale = Math.max(1, ...agents.flatMap((agent) => [agent.counts.processing, ...limitsOf(agent)]));
  return (
    <Chart
      title="In flight and limits, now"
      note="Tasks at once; a solid mark is the limit that holds, a hollow one the limit that is set where that is higher"
      table={{
        columns: [
          'Agent',
          'In flight',
          'Limit set',
          'Limit that holds',
          'Tokens/min set',
          'Tokens/min that holds',
        ],
        rows: agents.map((agent) => [
          agent.name,
          formatCount(agent.counts.processing),
          orNone(agent.maxConcurrentTasks),
          orNone(agent.effective.maxConcurrentTasks),
          orNone(agent.maxTpm),
          orNone(agent.effective.maxTpm),
        ]),
      }}
      empty={agents.length === 0 ? 'No such agent.' : null}
    >
      {() => (
        <ul className="flex h-full flex-col gap-1 overflow-y-auto" style={{ maxHeight: CHART_HEIGHT }}>
          {agents.map((agent) => (
            <AgentRow key={agent.id} agent={agent} scale={scale} color={colorOf(agent.id)} />
          ))}
        </ul>
      )}
    </Chart>
  );
}

interface AgentRowProps {
  readonly agent: Agent;
  readonly scale: number;
  readonly color: string;
}

function AgentRow({ agent, scale, color }: AgentRowProps) {
  const { maxConcurrentTasks: set, effective, counts, name } = agent;
  const share = (value: number) => `${Math.min(100, (value / scale) * 100)}%`;
  return (
    <li className="py-1">
      <p className="flex justify-between gap-3 text-sm">
        <span className="truncate">{name}</span>
        <span className="tabular whitespace-nowrap text-muted">
          <span className="text-text">{formatCount(counts.processing)}</span>
          {effective.maxConcurrentTasks === null
            ? ' in flight, no limit'
            : ` of ${formatCount(effective.maxConcurrentTasks)}`}
          {set !== null && set !== effective.maxConcurrentTasks && ` (set ${formatCount(set)})`}
          {effective.maxTpm !== null && ` · at most ${formatCount(effective.maxTpm)} tokens/min`}
        </span>
      </p>
      {/* The line above says the same. */}
      <div aria-hidden className="relative mt-1 h-2 rounded-sm bg-line">
        <span
          className="absolute inset-y-0 left-0 rounded-sm transition-[width] duration-[180ms]"
          style={{ width: share(counts.processing), backgroundColor: color }}
        />
        {set !== null && (
          <span
            className="absolute -inset-y-0.5 w-1 -translate-x-1/2 rounded-sm border border-text bg-bg"
            style={{ left: share(set) }}
          />
        )}
        {effective.maxConcurrentTasks !== null && (
          <span
            className="absolute -inset-y-0.5 w-1 -translate-x-1/2 rounded-sm bg-text"
            style={{ left: share(effective.maxConcurrentTasks) }}
          />
        )}
      </div>
    </li>
  );
}

function limitsOf({ maxConcurrentTasks, effective }: Agent): number[] {
  return [maxConcurrentTasks, effective.maxConcurrentTasks].filter((limit) => limit !== null);
}

function orNone(limit: number | null): string {
  return limit === null ? 'none' : formatCount(limit);
}
