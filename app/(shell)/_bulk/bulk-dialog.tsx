'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { previewBulk } from '@/lib/api-client/actions';
import type { BulkAction, BulkBody, BulkPreview } from '@/lib/contract/api-bulk';
import { Button } from '../../_ui/button';
import { Dialog } from '../../_ui/dialog';
import { formatCount } from '../../_ui/format/count';
import { Field, Input } from '../../_ui/input';
import { MiddleTruncate } from '../../_ui/middle-truncate';
import { Money } from '../../_ui/money';
import { Skeleton } from '../../_ui/skeleton';
import { TaskState } from '../../_ui/task-state';
import { ACTION_WORDS } from './bulk-words';
import { SameAgain } from './same-again';
import type { Bulk } from './use-bulk';

export type BulkTarget = Pick<BulkBody, 'ids' | 'filter'>;

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly target: BulkTarget;
  readonly bulk: Bulk;
  readonly onClose: () => void;
  /** Told when it has begun. */
  readonly onStart?: () => void;
}

/** From so many on a click is too little: the number has to be typed. */
export const TYPED_ABOVE = 100;
const DEFAULT_PRIORITY = '80';

/** Says what an action on many tasks would do, to which and for how much, before it does it. */
export function BulkDialog({ action, target, bulk, onClose, onStart }: BulkDialogProps) {
  const [priority, setPriority] = useState(DEFAULT_PRIORITY);
  const [typed, setTyped] = useState('');
  const words = ACTION_WORDS[action];
  const isPriority = action === 'reprioritise';
  const validPriority = /^(\d{1,2}|100)$/.test(priority.trim());
  const body: BulkBody = {
    action,
    ...target,
    ...(isPriority && { priority: validPriority ? Number(priority) : 0 }),
  };
  const preview = useQuery({
    // Which tasks it would change does not depend on the new priority.
    queryKey: ['bulk-preview', action, target],
    queryFn: ({ signal }) => previewBulk(body, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 'static',
    refetchInterval: false,
  });
  const count = preview.data?.count ?? null;
  const mustType = count !== null && count > TYPED_ABOVE;
  const confirmed = !mustType || typed.replaceAll(/[\s,.]/g, '') === String(count);
  const ready = count !== null && count > 0 && confirmed && (!isPriority || validPriority);
  const start = () => {
    if (!ready) return;
    bulk.start(body, words.words);
    onStart?.();
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={count === 0 ? 'There is nothing to do' : words.title(count)}
      description={count === 0 ? 'None of these tasks is in a status that this could change.' : words.meaning}
      footer={
        <>
          <Button onClick={onClose}>{count === 0 ? 'Close' : words.keep}</Button>
          {count !== 0 && (
            <Button variant={action === 'cancel' ? 'danger' : 'primary'} disabled={!ready} onClick={start}>
              {words.button}
            </Button>
          )}
        </>
      }
    >
      {count !== 0 && (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            start();
          }}
        >
          {isPriority && (
            <Field
              label="New priority"
              hint="From 0 to 100. Standard clients have 50, premium 70, a retry 80"
              error={validPriority ? undefined : 'A whole number from 0 to 100'}
            >
              {(ids) => (
                <Input
                  {...ids}
                  inputMode="numeric"
                  autoComplete="off"
                  className="tabular w-24"
                  value={priority}
                  onChange={(event) => setPriority(event.target.value)}
                />
              )}
            </Field>
          )}
          <Preview preview={preview.data} error={preview.error} action={action} />
          {mustType && (
            <Field label={`Type ${formatCount(count)} to confirm`}>
              {(ids) => (
                <Input
                  {...ids}
                  inputMode="numeric"
                  autoComplete="off"
                  className="tabular w-40"
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
            </Field>
          )}
          <button type="submit" hidden aria-hidden tabIndex={-1} />
        </form>
      )}
    </Dialog>
  );
}

interface PreviewProps {
  readonly preview: BulkPreview | undefined;
  readonly error: Error | null;
  readonly action: BulkAction;
}

function Preview({ preview, error, action }: PreviewProps) {
  if (error) {
    return (
      <p role="alert" className="text-failed">
        What it would do could not be found out: {error.message}
      </p>
    );
  }
  if (!preview) return <Skeleton className="h-40 w-full" />;
  const { count, sample, estimatedCostUsd, unpriced } = preview;
  const more = count - sample.length;
  return (
    <div>
      <p className="mb-2 flex flex-wrap items-baseline gap-x-2">
        <span className="text-muted">
          {action === 'retry' ? 'Expected to cost' : 'Would cost, if they run,'}
        </span>
        <Money usd={estimatedCostUsd} why="None of them has a known price" className="font-medium" />
        {unpriced > 0 && estimatedCostUsd !== null && (
          <span className="text-muted text-sm">without {formatCount(unpriced)} of unknown price</span>
        )}
      </p>
      <SameAgain count={count} groups={preview.sameAgain} />
      <ul aria-label="The first of them" className="divide-y divide-line border-line border-y">
        {sample.map((task) => (
          <li key={task.id} className="flex h-8 min-w-0 items-center gap-3 text-sm">
            <MiddleTruncate text={task.filename ?? task.id} className="grow" />
            <span className="tabular text-muted text-xs" title="Priority">
              {task.priority}
            </span>
            <TaskState task={task} className="w-36 shrink-0 text-xs" />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="tabular mt-1.5 text-muted text-sm">and {formatCount(more)} more</p>}
    </div>
  );
}
