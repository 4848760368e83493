import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { startBulk, undoBulk } from '@/lib/api-client/actions';
import { bulkQuery, keys } from '@/lib/api-client/queries';
import type { BulkBody, BulkOperation } from '@/lib/contract/api-bulk';
import { formatCount } from '../../_ui/format/count';
import { useToast } from '../../_ui/toast';

export interface BulkWords {
  /** What is being done, such as "Retrying". */
  readonly label: string;
  /** Said at the end, of so many tasks. */
  readonly done: (changed: number) => string;
  /** Said when nothing was begun. */
  readonly problem: string;
}

export interface Bulk {
  readonly start: (body: BulkBody, words: BulkWords) => void;
  /** From the click on until it is over: one at a time. */
  readonly busy: boolean;
  /** While it is under way. */
  readonly running: { readonly label: string; readonly operation: BulkOperation } | null;
}

/**
 * Starts an action on many tasks, follows it until it is over and says what became of it. For the page, not for the
 * button: what the button stands for is often gone before the operation is over.
 */
export function useBulk(): Bulk {
  const [started, setStarted] = useState<{ id: string; words: BulkWords } | null>(null);
  const client = useQueryClient();
  const say = useToast();
  const opening = useMutation({
    mutationFn: ({ ask }: { ask: () => Promise<BulkOperation>; words: BulkWords }) => ask(),
    onSuccess: (operation, { words }) => {
      client.setQueryData(keys.bulk(operation.id), operation);
      setStarted({ id: operation.id, words });
    },
    onError: (error, { words }) => say({ tone: 'problem', title: words.problem, detail: error.message }),
  });
  const { data: operation } = useQuery({ ...bulkQuery(started?.id ?? ''), enabled: started !== null });
  const takeBack = (id: string) => opening.mutate({ ask: () => undoBulk(id), words: UNDO_WORDS });
  const end = useEffectEvent((ended: BulkOperation) => {
    if (started) {
      const action = ended.undoable > 0 ? { label: 'Undo', onSelect: () => takeBack(ended.id) } : undefined;
      say({ ...outcome(ended, started.words), action });
    }
    setStarted(null);
    void client.invalidateQueries();
  });
  useEffect(() => {
    if (operation?.finishedAt) end(operation);
  }, [operation]);
  return {
    start: (body, words) => opening.mutate({ ask: () => startBulk(body), words }),
    busy: opening.isPending || started !== null,
    running: started && operation ? { label: started.words.label, operation } : null,
  };
}

const UNDO_WORDS: BulkWords = {
  label: 'Taking back',
  done: (changed) => `${formatCount(changed)} ${changed === 1 ? 'task is' : 'tasks are'} as before`,
  problem: 'It could not be taken back',
};

function outcome({ status, progress, error }: BulkOperation, words: BulkWords) {
  const { changed, skipped } = progress;
  if (status === 'failed') {
    return { tone: 'problem' as const, title: words.done(changed), detail: error ?? undefined };
  }
  const detail = skipped > 0 ? `${skipped} had moved on meanwhile` : undefined;
  return { tone: 'done' as const, title: words.done(changed), detail };
}
