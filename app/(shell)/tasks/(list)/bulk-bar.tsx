'use client';

import { ArrowUpDown, Ban, RotateCw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TaskListItem } from '@/lib/contract/api';
import type { BulkAction } from '@/lib/contract/api-bulk';
import { Button } from '../../../_ui/button';
import { formatCount } from '../../../_ui/format/count';
import { actsOn } from '../../_bulk/acts-on';
import { BulkProgress } from '../../_bulk/bulk-progress';
import type { Bulk } from '../../_bulk/use-bulk';
import type { Selection } from './use-selection';

interface BulkBarProps {
  readonly selection: Selection;
  readonly tasks: readonly TaskListItem[];
  readonly hasMore: boolean;
  readonly isFiltered: boolean;
  readonly bulk: Bulk;
  readonly onAction: (action: BulkAction) => void;
}

const ACTIONS = [
  { action: 'retry', label: 'Retry', icon: RotateCw },
  { action: 'cancel', label: 'Cancel', icon: Ban },
  { action: 'reprioritise', label: 'Priority', icon: ArrowUpDown },
] as const;

/** What is selected and what can be done with it; or how far the action under way is. */
export function BulkBar({ selection, tasks, hasMore, isFiltered, bulk, onAction }: BulkBarProps) {
  if (bulk.running) {
    return (
      <Bar label="Action under way">
        <BulkProgress running={bulk.running} />
      </Bar>
    );
  }
  if (selection.isEmpty) return null;
  const chosen = tasks.filter(({ id }) => selection.ids.has(id));
  const everyListed = chosen.length === tasks.length && hasMore;
  return (
    <Bar label="Selection">
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="tabular me-auto font-medium">
          {selection.isAll
            ? isFiltered
              ? 'All that match are selected'
              : 'All tasks are selected'
            : `${formatCount(selection.ids.size)} selected`}
        </p>
        {everyListed && (
          <Button size="sm" variant="ghost" onClick={selection.selectAll}>
            Select all that {isFiltered ? 'match' : 'there are'}
          </Button>
        )}
        {ACTIONS.map(({ action, label, icon: Icon }) => {
          const able = chosen.filter((task) => actsOn(action, task)).length;
          return (
            <Button
              key={action}
              size="sm"
              disabled={bulk.busy || (!selection.isAll && able === 0)}
              onClick={() => onAction(action)}
            >
              <Icon /> {label}
              {!selection.isAll && able > 0 && (
                <span className="tabular text-muted">{formatCount(able)}</span>
              )}
            </Button>
          );
        })}
        <Button size="icon-sm" variant="ghost" aria-label="Clear the selection" onClick={selection.clear}>
          <X />
        </Button>
      </div>
    </Bar>
  );
}

function Bar({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="fixed inset-x-3 bottom-[calc(4.25rem+env(safe-area-inset-bottom))] z-20 animate-rise rounded-md border border-line bg-surface px-3 py-2 shadow-float md:sticky md:inset-x-auto md:bottom-4 md:mx-auto md:mt-4 md:w-fit md:min-w-[34rem]"
    >
      {children}
    </section>
  );
}
