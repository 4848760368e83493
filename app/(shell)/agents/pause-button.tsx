'use client';

import { Hourglass, Pause, Play } from 'lucide-react';
import type { Agent } from '@/lib/contract/api-agents';
import { Button } from '../../_ui/button';
import { Tip } from '../../_ui/tip';
import { useAgentUpdate } from './use-agent-update';

/** One click; what it will do is said before, on hover and on focus. */
export function PauseButton({ agent }: { readonly agent: Agent }) {
  const update = useAgentUpdate(
    agent.id,
    agent.paused ? `${agent.name} runs again` : `${agent.name} is paused`,
  );
  const { processing, enqueued } = agent.counts;
  const what = agent.paused
    ? `${enqueued} waiting tasks can be claimed again.`
    : `Nothing new is claimed; ${enqueued} tasks wait. ${processing} in flight run to their end.`;
  return (
    <Tip text={what}>
      <Button disabled={update.isPending} onClick={() => update.mutate({ paused: !agent.paused })}>
        {agent.paused ? <Play /> : <Pause />}
        {agent.paused ? 'Resume' : 'Pause'}
      </Button>
    </Tip>
  );
}

/** A pause that tells when nothing is in flight any more. */
export function DrainButton({ agent }: { readonly agent: Agent }) {
  const update = useAgentUpdate(agent.id, `${agent.name} is draining`);
  if (agent.state !== 'open' && agent.state !== 'paused') return null;
  const { processing, enqueued } = agent.counts;
  return (
    <Tip
      text={`Nothing new is claimed; ${enqueued} tasks wait. Says so once the ${processing} in flight are over.`}
    >
      <Button disabled={update.isPending} onClick={() => update.mutate({ draining: true })}>
        <Hourglass /> Drain
      </Button>
    </Tip>
  );
}
