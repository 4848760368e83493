'use client';

import { useQuery } from '@tanstack/react-query';
import { Pause } from 'lucide-react';
import Link from 'next/link';
import { agentsQuery } from '@/lib/api-client/queries';
import { formatCount } from '../../_ui/format/count';
import { pausedWords } from './paused-words';

interface PausedAgentsProps {
  /** Only these; none: all. */
  readonly only: readonly string[];
  /** Whether anything of what the page shows waits at all. */
  readonly waiting: boolean;
}

/** Says which paused agents tasks wait for: nothing else on the page would show why nothing moves. */
export function PausedAgents({ only, waiting }: PausedAgentsProps) {
  const { data } = useQuery({ ...agentsQuery(), enabled: waiting });
  const paused = (data?.agents ?? []).filter(
    ({ id, state, counts }) =>
      state !== 'open' && counts.enqueued > 0 && (only.length === 0 || only.includes(id)),
  );
  if (!waiting || paused.length === 0) return null;
  return (
    <ul aria-label="Paused agents" className="mb-4 flex flex-col gap-1">
      {paused.map((agent) => (
        <li
          key={agent.id}
          className="flex items-start gap-2 rounded-md border border-line bg-sunken px-3 py-2"
        >
          <Pause aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
          <span>
            <Link
              href={`/agents/${encodeURIComponent(agent.id)}`}
              prefetch={false}
              className="font-medium underline"
            >
              {agent.name}
            </Link>{' '}
            {pausedWords(agent.state)}: {formatCount(agent.counts.enqueued)}{' '}
            {agent.counts.enqueued === 1 ? 'task waits' : 'tasks wait'} until it is resumed.
          </span>
        </li>
      ))}
    </ul>
  );
}
