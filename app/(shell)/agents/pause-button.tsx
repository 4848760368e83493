'use client';

import { Hourglass, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import type { Agent } from '@/lib/contract/api-agents';
import { Button } from '../../_ui/button';
import { Dialog } from '../../_ui/dialog';
import { formatCount } from '../../_ui/format/count';
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
    ? `Waiting tasks can be claimed again: ${formatCount(enqueued)}.`
    : `Nothing new is claimed; waiting: ${formatCount(enqueued)}. What is in flight (${formatCount(processing)}) runs to its end.`;
  return (
    <Tip text={what}>
      <Button disabled={update.isPending} onClick={() => update.mutate({ paused: !agent.paused })}>
        {agent.paused ? <Play /> : <Pause />}
        {agent.paused ? 'Resume' : 'Pause'}
      </Button>
    </Tip>
  );
}

/** A pause that tells when nothing is in flight any more: asked about first, since what it does besides is not in its name. */
export function DrainButton({ agent }: { readonly agent: Agent }) {
  const [asking, setAsking] = useState(false);
  const update = useAgentUpdate(agent.id, `${agent.name} is paused and draining`);
  if (agent.state !== 'open' && agent.state !== 'paused') return null;
  const { processing, enqueued } = agent.counts;
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Hourglass /> Drain
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={`Drain ${agent.name}?`}
        description="A pause that tells when the agent is idle, such as before an upgrade. Nothing is stopped and nothing is lost; it works again when it is resumed."
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Leave it as it is</Button>
            <Button
              variant="primary"
              disabled={update.isPending}
              onClick={() => update.mutate({ draining: true }, { onSettled: () => setAsking(false) })}
            >
              Drain it
            </Button>
          </>
        }
      >
        <ul className="flex list-disc flex-col gap-1 ps-5">
          <li>
            {formatCount(processing)} in flight{' '}
            {processing === 1 ? 'runs to its end; then' : 'run to their end; then'} it says “Paused and
            drained”.
          </li>
          <li>
            {formatCount(enqueued)} waiting {enqueued === 1 ? 'task stays' : 'tasks stay'} in the queue until
            somebody resumes it.
          </li>
        </ul>
      </Dialog>
    </>
  );
}
