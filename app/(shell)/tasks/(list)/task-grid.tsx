'use client';

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { TaskListItem } from '@/lib/contract/api';
import type { TaskSort } from '@/lib/contract/task-sorts';
import { Checkbox } from '../../../_ui/checkbox';
import { cn } from '../../../_ui/cn';
import { ROLES } from '../../../_ui/table';
import { COLUMNS, type Column } from './columns';
import { SortHead } from './sort-head';
import { TaskGridRow } from './task-grid-row';
import { useIsWide } from './use-is-wide';
import type { Selection } from './use-selection';
import type { TaskView } from './view-settings';

export interface TaskGridProps {
  readonly tasks: readonly TaskListItem[];
  readonly view: TaskView;
  readonly sort: TaskSort;
  readonly onSort: (sort: TaskSort) => void;
  /** null for who may do nothing to many. */
  readonly selection: Selection | null;
  /** The row that the keyboard is at. */
  readonly activeId: string | null;
  readonly onActive: (id: string) => void;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly look: (from: number, to: number) => void;
  readonly isStale: boolean;
  /** Brings a row into view; the keyboard needs it. */
  readonly scroller: RefObject<((index: number) => void) | null>;
}

const ROW = { normal: 36, compact: 28 } as const;
/** A card before it was measured. */
const CARD = 148;
const OVERSCAN = 12;
/** So many rows before the end the next page is asked for. */
const AHEAD = 30;
/** What stands over the rows: top bar and heads above, the bar of actions below. */
const COVERED_ABOVE = 96;
const COVERED_BELOW = 88;
/** What the server takes for granted of a window; the browser knows better right after. */
const FIRST_RECT = { width: 1280, height: 900 };

/** Tasks as a table of which only what is in view exists; cards on a phone. Rows keep the roles of a table. */
export function TaskGrid(props: TaskGridProps) {
  const { tasks, view, selection, hasMore, isLoadingMore, loadMore, look } = props;
  const isWide = useIsWide();
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () =>
      setTop(frame.current ? frame.current.getBoundingClientRect().top + window.scrollY : 0);
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  const rowHeight = ROW[view.density];
  const virtual = useWindowVirtualizer({
    count: tasks.length,
    estimateSize: () => (isWide ? rowHeight : CARD),
    getItemKey: (index) => tasks[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: COVERED_ABOVE,
    scrollPaddingEnd: COVERED_BELOW,
    initialRect: FIRST_RECT,
    // Somebody may have scrolled before the page came to life: its first rendering must equal the server's.
    initialOffset: 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights that were measured belong to the other look
  useEffect(() => virtual.measure(), [isWide, rowHeight]);
  const { scroller } = props;
  useEffect(() => {
    scroller.current = (index) => virtual.scrollToIndex(index, { align: 'auto' });
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const end = last?.index ?? 0;
  useEffect(() => look(first?.index ?? 0, end), [look, first?.index, end]);
  useEffect(() => {
    if (hasMore && !isLoadingMore && end >= tasks.length - AHEAD) loadMore();
  }, [hasMore, isLoadingMore, loadMore, end, tasks.length]);

  const columns = COLUMNS.filter(({ id }) => view.columns.includes(id));
  const before = first ? first.start - virtual.options.scrollMargin : 0;
  const after = last ? virtual.getTotalSize() - (last.end - virtual.options.scrollMargin) : 0;
  return (
    <div
      ref={frame}
      className={cn('transition-opacity', overflowClass(columns), props.isStale && 'opacity-60')}
      aria-busy={props.isStale || isLoadingMore}
    >
      <table
        role={ROLES.table}
        aria-label="Tasks"
        aria-rowcount={hasMore ? -1 : tasks.length + 1}
        className="w-full table-fixed border-collapse max-lg:block lg:min-w-(--list-width)"
        style={{ '--list-width': `${widthOf(columns)}px` } as CSSProperties}
      >
        <TaskGridHead {...props} columns={columns} />
        <tbody role={ROLES.rowgroup} className="max-lg:block">
          <Gap height={before} />
          {items.map((item) => {
            const task = tasks[item.index];
            return (
              task && (
                <TaskGridRow
                  key={item.key}
                  ref={isWide ? undefined : virtual.measureElement}
                  index={item.index}
                  task={task}
                  columns={columns}
                  density={view.density}
                  isSelected={selection?.has(task.id) ?? false}
                  isActive={task.id === props.activeId}
                  selection={selection}
                  onActive={props.onActive}
                />
              )
            );
          })}
          <Gap height={after} />
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps extends TaskGridProps {
  readonly columns: readonly Column[];
}

function TaskGridHead({ tasks, columns, selection, sort, onSort }: HeadProps) {
  const ids = tasks.map(({ id }) => id);
  const chosen = selection ? ids.filter((id) => selection.has(id)).length : 0;
  return (
    <thead role={ROLES.rowgroup} className="max-lg:sr-only">
      <tr role={ROLES.row} aria-rowindex={1}>
        {selection && (
          <th role={ROLES.columnheader} scope="col" className={cn(HEAD, 'w-9 ps-2')}>
            <Checkbox
              label="Select all that are listed"
              checked={chosen > 0 && chosen === ids.length ? true : chosen > 0 ? 'mixed' : false}
              onChange={() => selection.toggleMany(ids)}
              className="max-lg:hidden"
            />
            <span className="lg:hidden">Selected</span>
          </th>
        )}
        <th role={ROLES.columnheader} scope="col" className={cn(HEAD, 'px-3 text-left')}>
          Document
        </th>
        {columns.map((column) => (
          <SortHead key={column.id} column={column} sort={sort} onSort={onSort} className={HEAD} />
        ))}
      </tr>
    </thead>
  );
}

const HEAD = 'sticky top-12 z-10 h-9 border-line border-b bg-bg font-medium text-muted text-xs';

/** Room for the rows that are not there. */
function Gap({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className="max-lg:block">
      <td style={{ height }} className="p-0 max-lg:block" />
    </tr>
  );
}

const DOCUMENT_WIDTH = 236;

function widthOf(columns: readonly Column[]): number {
  return columns.reduce((sum, { width }) => sum + width, DOCUMENT_WIDTH + 36);
}

/** Heads stay in view where all columns have room; with more of them than fit the table scrolls sideways instead. */
function overflowClass(columns: readonly Column[]): string {
  const width = widthOf(columns);
  // What a window leaves beside rail and margins.
  if (width <= 768) return '';
  if (width <= 1024) return 'lg:max-xl:overflow-x-auto';
  return width <= 1184 ? 'lg:max-[90rem]:overflow-x-auto' : 'lg:overflow-x-auto';
}
