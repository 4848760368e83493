'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import type { TaskSort } from '@/lib/contract/task-sorts';
import { cn } from '../../../_ui/cn';
import { ROLES } from '../../../_ui/table';
import type { Column } from './columns';

interface SortHeadProps {
  readonly column: Column;
  readonly sort: TaskSort;
  readonly onSort: (sort: TaskSort) => void;
  readonly className: string;
}

/** A column's name; a click sorts by it, another one the other way round. */
export function SortHead({ column, sort, onSort, className }: SortHeadProps) {
  const direction =
    sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : undefined;
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th
      role={ROLES.columnheader}
      scope="col"
      aria-sort={direction}
      className={cn(className, 'whitespace-nowrap px-3', column.numeric ? 'text-right' : 'text-left')}
      style={{ width: column.width }}
    >
      {/* Of a phone's cards the heads are only heard: order is chosen above them, and nothing unseen may take the focus. */}
      {column.sort && <span className="lg:hidden">{column.label}</span>}
      {column.sort ? (
        <button
          type="button"
          className={cn(
            'group inline-flex items-center gap-1 rounded-sm align-middle hover:text-text max-lg:hidden',
            column.numeric && 'flex-row-reverse',
            direction && 'text-text',
          )}
          onClick={() => onSort(nextSort(column, sort))}
        >
          {column.label}
          <Arrow
            aria-hidden
            className={cn(
              'size-3',
              !direction && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
            )}
          />
        </button>
      ) : (
        column.label
      )}
    </th>
  );
}

/** What a click on a column's head means. */
export function nextSort(
  { sort: key, firstSort = 'desc' }: Pick<Column, 'sort' | 'firstSort'>,
  now: TaskSort,
): TaskSort {
  if (!key) return now;
  const [first, second]: [TaskSort, TaskSort] = firstSort === 'asc' ? [key, `-${key}`] : [`-${key}`, key];
  return now === first ? second : first;
}
