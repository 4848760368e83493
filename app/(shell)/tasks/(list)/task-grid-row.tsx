'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type MouseEvent, memo, type Ref, useTransition } from 'react';
import type { TaskListItem } from '@/lib/contract/api';
import { Checkbox } from '../../../_ui/checkbox';
import { cn } from '../../../_ui/cn';
import { LinkPending, Opening } from '../../../_ui/link-pending';
import { MiddleTruncate } from '../../../_ui/middle-truncate';
import { ROLES } from '../../../_ui/table';
import type { Column } from './columns';
import type { Selection } from './use-selection';

interface TaskGridRowProps {
  readonly ref?: Ref<HTMLTableRowElement>;
  readonly index: number;
  readonly task: TaskListItem;
  readonly columns: readonly Column[];
  readonly density: 'normal' | 'compact';
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly selection: Selection | null;
  readonly onActive: (id: string) => void;
}

/** One task; a click anywhere in it leads to the task, except on what is a control of its own. */
export const TaskGridRow = memo(function TaskGridRow(props: TaskGridRowProps) {
  const { ref, index, task, columns, density, isSelected, isActive, selection, onActive } = props;
  const router = useRouter();
  const [isOpening, startOpening] = useTransition();
  const name = task.filename ?? `Task ${task.id.slice(0, 8)}`;
  const open = (event: MouseEvent) => {
    const isControl = event.target instanceof Element && event.target.closest('a, button, input, label');
    if (isControl || window.getSelection()?.toString()) return;
    if (event.shiftKey && selection) selection.extendTo(task.id);
    else if (event.metaKey || event.ctrlKey) window.open(`/tasks/${task.id}`, '_blank');
    else startOpening(() => router.push(`/tasks/${task.id}`));
  };
  return (
    <tr
      ref={ref}
      data-index={index}
      role={ROLES.row}
      aria-rowindex={index + 2}
      aria-selected={selection ? isSelected : undefined}
      onClick={open}
      onFocus={() => onActive(task.id)}
      className={cn(
        'cursor-pointer border-line border-b transition-colors max-lg:relative max-lg:isolate max-lg:grid max-lg:grid-cols-2 max-lg:gap-x-6 max-lg:border-b-0 max-lg:px-3 max-lg:pt-3 max-lg:pb-3 md:max-lg:grid-cols-4',
        'max-lg:before:absolute max-lg:before:inset-x-0 max-lg:before:top-0 max-lg:before:bottom-2 max-lg:before:-z-10 max-lg:before:rounded-md max-lg:before:border max-lg:before:border-line max-lg:before:bg-surface',
        density === 'compact' ? 'lg:h-7' : 'lg:h-9',
        'lg:hover:bg-hover',
        isSelected &&
          'lg:bg-accent-soft lg:hover:bg-accent-soft max-lg:before:border-accent max-lg:before:bg-accent-soft',
        isActive && 'lg:shadow-[inset_2px_0_0_var(--accent)]',
      )}
    >
      {selection && (
        <td role={ROLES.cell} className="w-9 ps-2 max-lg:absolute max-lg:top-2 max-lg:right-2 max-lg:p-0">
          <Checkbox
            label={`Select ${name}`}
            checked={isSelected}
            onChange={(event) =>
              (event.nativeEvent as globalThis.MouseEvent).shiftKey
                ? selection.extendTo(task.id)
                : selection.toggle(task.id)
            }
          />
        </td>
      )}
      <td role={ROLES.cell} className="px-3 max-lg:col-span-full max-lg:min-h-7 max-lg:px-0 max-lg:pe-9">
        <Link
          href={`/tasks/${task.id}`}
          prefetch={false}
          data-task-link={task.id}
          className="flex min-w-0 rounded-sm font-medium hover:underline"
        >
          <MiddleTruncate text={name} />
          {isOpening ? <Opening /> : <LinkPending />}
        </Link>
      </td>
      {columns.map((column) => (
        <GridCell key={column.id} column={column} task={task} />
      ))}
    </tr>
  );
});

function GridCell({ column, task }: { readonly column: Column; readonly task: TaskListItem }) {
  const card = column.card?.(task) ?? 'half';
  return (
    <td
      role={ROLES.cell}
      className={cn(
        'max-w-0 overflow-hidden px-3 max-lg:flex max-lg:min-h-7 max-lg:max-w-none max-lg:items-center max-lg:justify-between max-lg:gap-3 max-lg:overflow-visible max-lg:px-0',
        card === 'full' && 'max-lg:col-span-full',
        card === 'hidden' && 'max-lg:hidden',
        column.numeric && 'tabular lg:text-right',
      )}
    >
      <span aria-hidden className="shrink-0 text-muted text-sm lg:hidden">
        {column.label}
      </span>
      <span className={cn('flex min-w-0 items-center', column.numeric && 'lg:justify-end')}>
        {column.cell(task)}
      </span>
    </td>
  );
}
