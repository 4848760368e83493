'use client';

import { useAgentName } from './viewer';

/** An agent by its name, wherever its id is known. */
export function AgentName({ id }: { readonly id: string }) {
  return <>{useAgentName()(id)}</>;
}
