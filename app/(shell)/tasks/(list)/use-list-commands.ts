import { ArrowUpDown, Ban, RotateCw } from 'lucide-react';
import { useEffectEvent, useMemo } from 'react';
import type { BulkAction } from '@/lib/contract/api-bulk';
import { type Command, useCommands } from '../../../_shell/commands';
import type { Selection } from './use-selection';

const VERBS = [
  { action: 'retry', verb: 'Retry', icon: RotateCw, keys: 'r' },
  { action: 'cancel', verb: 'Cancel', icon: Ban, keys: 'c' },
  { action: 'reprioritise', verb: 'Change the priority of', icon: ArrowUpDown, keys: 'p' },
] as const;

/** Offers in the palette what can be done with the selection, or else with all that match. */
export function useListCommands(
  selection: Selection | null,
  onSelection: (action: BulkAction) => void,
  onAll: (action: BulkAction) => void,
) {
  const some = selection !== null && !selection.isEmpty;
  const ask = useEffectEvent((action: BulkAction) => (some ? onSelection(action) : onAll(action)));
  const able = selection !== null;
  const commands = useMemo<readonly Command[]>(
    () =>
      able
        ? VERBS.map(({ action, verb, icon, keys }) => ({
            id: action,
            label: some ? `${verb} the selected tasks` : `${verb} all that match`,
            icon,
            run: () => ask(action),
            ...(some && { keys }),
          }))
        : [],
    [able, some],
  );
  useCommands(commands);
}
