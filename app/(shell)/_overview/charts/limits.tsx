'use client';

import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '@/lib/api-client/queries';
import type { Agent } from '@/lib/contract/api-agents';
import { Chart } from '../../../_charts/chart';
import { formatCount, formatShort } from '../../../_ui/format/count';
import { Bullet } from './bullet';

interface LimitsProps {
  /** Only these; none: all. */
  readonly only: readonly string[];
  readonly colorOf: (id: string) => string;
}

/** What counts against the limits of each agent now: the ones that are set, and the ones that hold. */
export function Limits({ only, colorOf }: LimitsProps) {
  const { data, error } = useQuery(agentsQuery());
  const agents = (data?.agents ?? []).filter(({ id }) => only.length === 0 || only.includes(id));
  const tasks = scaleOf(agents, 'tasks', 'maxConcurrentTasks');
  const tpm = scaleOf(agents, 'tpm', 'maxTpm');
  return (
    <Chart
      title="In flight and token rate, now"
      height="all"
      note="Tasks at once, and tokens per minute. A solid mark is the limit that holds, a hollow one the limit that is set where that is higher"
      table={{
        columns: [
          'Agent',
          ...['In flight', 'Limit that holds', 'Limit set'],
          ...['Tokens/min', 'Limit that holds, tokens/min', 'Limit set, tokens/min'],
        ],
        rows: agents.map(({ name, inUse, effective, maxConcurrentTasks, maxTpm }) => [
          name,
          ...[formatCount(inUse.tasks), orNone(effective.maxConcurrentTasks), orNone(maxConcurrentTasks)],
          ...[formatCount(inUse.tpm), orNone(effective.maxTpm), orNone(maxTpm)],
        ]),
      }}
      empty={emptyWords(data === undefined && error !== null, data !== undefined && agents.length === 0)}
    >
      {() => (
        <ul className="flex flex-col">
          {agents.map((agent) => (
            <li key={agent.id} className="py-1">
              <p className="truncate text-sm">{agent.name}</p>
              <div className="grid grid-cols-2 gap-x-6">
                <Bullet
                  value={agent.inUse.tasks}
                  holds={agent.effective.maxConcurrentTasks}
                  set={agent.maxConcurrentTasks}
                  scale={tasks}
                  unit="in flight"
                  show={formatCount}
                  color={colorOf(agent.id)}
                />
                <Bullet
                  value={agent.inUse.tpm}
                  holds={agent.effective.maxTpm}
                  set={agent.maxTpm}
                  scale={tpm}
                  unit="tokens/min"
                  show={formatShort}
                  color={colorOf(agent.id)}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Chart>
  );
}

function emptyWords(isAway: boolean, isNone: boolean): string | null {
  if (isAway) return 'The limits could not be loaded. It is tried again by itself.';
  return isNone ? 'There is no such agent.' : null;
}

/** The end of all bars, so that they can be compared. */
function scaleOf(
  agents: readonly Agent[],
  used: keyof Agent['inUse'],
  limit: 'maxConcurrentTasks' | 'maxTpm',
): number {
  return Math.max(1, ...agents.flatMap((a) => [a.inUse[used], a[limit] ?? 0, a.effective[limit] ?? 0]));
}

function orNone(limit: number | null): string {
  return limit === null ? 'none' : formatCount(limit);
}
