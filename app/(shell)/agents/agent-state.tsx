'use client';

import type { ReactNode } from 'react';
import type { Agent } from '@/lib/contract/api-agents';
import { Time } from '../../_ui/time';

/** What an agent is in besides at work; nothing while it is open. */
export function AgentState({ agent }: { readonly agent: Agent }) {
  return (
    <>
      {agent.state === 'paused' && <Badge>Paused</Badge>}
      {agent.state === 'draining' && <Badge>Paused and draining</Badge>}
      {agent.state === 'drained' && (
        <Badge>
          Paused and drained
          {agent.drainedAt && (
            <>
              {' '}
              at <Time at={agent.drainedAt} detail="clock" />
            </>
          )}
        </Badge>
      )}
      {agent.coolingUntil && (
        <Badge>
          Cooling until <Time at={agent.coolingUntil} detail="clock" />
        </Badge>
      )}
    </>
  );
}

function Badge({ children }: { readonly children: ReactNode }) {
  return <span className="rounded-sm bg-sunken px-1.5 font-normal text-muted text-xs">{children}</span>;
}
