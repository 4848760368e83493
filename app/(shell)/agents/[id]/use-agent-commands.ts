import { Pause, Pencil, Play } from 'lucide-react';
import { useEffectEvent, useMemo } from 'react';
import type { Agent } from '@/lib/contract/api-agents';
import { type Command, useCommands } from '../../../_shell/commands';
import { useAgentUpdate } from '../use-agent-update';

/** Offers in the palette what can be done with this agent. */
export function useAgentCommands(agent: Agent | undefined, onEdit: () => void) {
  const [id, name, paused] = [agent?.id ?? '', agent?.name ?? '', agent?.paused ?? false];
  const update = useAgentUpdate(id, paused ? `${name} runs again` : `${name} is paused`);
  const toggle = useEffectEvent(() => update.mutate({ paused: !paused }));
  const edit = useEffectEvent(onEdit);
  const commands = useMemo<readonly Command[]>(
    () =>
      id === ''
        ? []
        : [
            {
              id: 'pause',
              label: paused ? `Resume ${name}` : `Pause ${name}`,
              icon: paused ? Play : Pause,
              run: () => toggle(),
            },
            { id: 'edit', label: `Edit ${name}`, icon: Pencil, run: () => edit() },
          ],
    [id, name, paused],
  );
  useCommands(commands);
}
