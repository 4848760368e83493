'use client';

import { ArrowUp, FileStack, SearchX } from 'lucide-react';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { BulkAction } from '@/lib/contract/api-bulk';
import type { FilterOptions } from '../../../_filters/filter-bar';
import { useMomentOf } from '../../../_filters/use-filters';
import { keepPreference } from '../../../_shell/preference-cookie';
import { Button } from '../../../_ui/button';
import { EmptyState } from '../../../_ui/empty-state';
import { ErrorState } from '../../../_ui/error-state';
import { formatCount } from '../../../_ui/format/count';
import { island } from '../../../_ui/island';
import { SkeletonRows } from '../../../_ui/skeleton';
import { useTimeZone } from '../../../_ui/viewer';
import { PausedAgents } from '../../_agents/paused-agents';
import { actsOn } from '../../_bulk/acts-on';
import type { BulkTarget } from '../../_bulk/bulk-dialog';
import { useBulk } from '../../_bulk/use-bulk';
import { bulkFilter, queryFilters, taskFilterParsers, taskListSearch } from '../task-filters';
import { TaskGrid } from './task-grid';
import { TaskToolbar } from './task-toolbar';
import { useListCommands } from './use-list-commands';
import { useSelection } from './use-selection';
import { useTableKeys } from './use-table-keys';
import { type TaskPages, useTaskPages } from './use-task-pages';
import { formatTaskView, TASK_VIEW_COOKIE, type TaskView } from './view-settings';

// Only who acts on many pays for it.
const BulkDialog = island(() => import('../../_bulk/bulk-dialog').then((module) => module.BulkDialog), {
  what: 'The question',
  className: 'fixed inset-x-3 top-14 z-50 mx-auto max-w-md bg-surface shadow-float',
});

const BulkBar = island(() => import('./bulk-bar').then((module) => module.BulkBar), {
  what: 'What can be done with the selection',
  className: 'sticky bottom-20 z-20 mx-auto bg-surface shadow-float md:bottom-4',
});

interface TaskListProps {
  readonly options: FilterOptions;
  /** When the server asked for the first page (ms). */
  readonly renderedAt: number;
  readonly initialView: TaskView;
  readonly mayAct: boolean;
}

/** Tasks under filters that live in the address: to look through, to select, to act on. */
export function TaskList({ options, renderedAt, initialView, mayAct }: TaskListProps) {
  const [values, setFilters] = useQueryStates(taskFilterParsers, { history: 'replace' });
  const timeZone = useTimeZone();
  const now = useMomentOf(String(values.range), renderedAt);
  const asked = JSON.stringify(queryFilters(values, timeZone, now));
  const filters = useMemo(() => JSON.parse(asked) as ReturnType<typeof queryFilters>, [asked]);
  const meant = bulkFilter(values, timeZone, now);
  const isFiltered = Object.keys(meant).length > 0;
  const pages = useTaskPages(filters);
  const [view, setView] = useView(initialView);
  const selection = useSelection(pages.tasks);
  const bulk = useBulk();
  const [question, setQuestion] = useState<{ action: BulkAction; target: BulkTarget } | null>(null);
  const scroller = useRef<((index: number) => void) | null>(null);
  const search = useRef<HTMLInputElement>(null);

  const { clear, isEmpty } = selection;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is another selection
  useEffect(() => clear(), [asked, clear]);
  const { hold } = pages;
  // What is selected must not go away while a person reads on.
  useEffect(() => {
    if (!isEmpty) hold();
  }, [isEmpty, hold]);

  const askAboutAll = (action: BulkAction) => setQuestion({ action, target: { filter: meant } });
  const askAboutSelection = (action: BulkAction) => {
    if (selection.isAll) return askAboutAll(action);
    const able = pages.tasks.filter((task) => selection.ids.has(task.id) && actsOn(action, task));
    if (able.length > 0) setQuestion({ action, target: { ids: able.map(({ id }) => id) } });
  };
  const own = mayAct ? selection : null;
  const keyboard = useTableKeys({
    tasks: pages.tasks,
    selection: own,
    scroller,
    search,
    onAction: askAboutSelection,
  });
  useListCommands(own, askAboutSelection, askAboutAll);
  return (
    <>
      <TaskToolbar
        filters={{ values, query: meant, now, change: (change) => void setFilters(change) }}
        options={options}
        q={values.q}
        sort={values.sort}
        isFiltered={isFiltered}
        saved={taskListSearch('', values).slice(1)}
        onFilters={(change) => void setFilters(change)}
        view={view}
        onView={setView}
        search={search}
        onAction={mayAct ? askAboutAll : null}
      />
      <PausedAgents only={values.agent} waiting={pages.tasks.some(({ status }) => status === 'enqueued')} />
      <Newest pages={pages} />
      {pages.tasks.length > 0 ? (
        <TaskGrid
          {...pages}
          view={view}
          sort={values.sort}
          onSort={(sort) => void setFilters({ sort })}
          selection={own}
          activeId={keyboard.activeId}
          onActive={keyboard.setActiveId}
          scroller={scroller}
        />
      ) : (
        <NoTasks pages={pages} isFiltered={isFiltered} onClear={() => void setFilters(CLEARED)} />
      )}
      {own && (bulk.running || !own.isEmpty) && (
        <BulkBar
          selection={own}
          tasks={pages.tasks}
          hasMore={pages.hasMore}
          isFiltered={isFiltered}
          bulk={bulk}
          onAction={askAboutSelection}
        />
      )}
      {question && <BulkDialog {...question} bulk={bulk} onClose={() => setQuestion(null)} onStart={clear} />}
    </>
  );
}

/** The look, kept for the next visit. */
function useView(initial: TaskView): [TaskView, (view: TaskView) => void] {
  const [view, setView] = useState(initial);
  return [
    view,
    (next) => {
      setView(next);
      keepPreference(TASK_VIEW_COOKIE, formatTaskView(next));
    },
  ];
}

/** Says that a list which is held for its reader begins otherwise by now. */
function Newest({ pages: { newest, showNewest } }: { readonly pages: TaskPages }) {
  if (!newest.changed) return null;
  const show = () => {
    showNewest();
    window.scrollTo({ top: 0 });
  };
  const words =
    newest.more === null || newest.more === 0
      ? 'The list has changed'
      : `${formatCount(newest.more)} new ${newest.more === 1 ? 'task' : 'tasks'}`;
  return (
    <div className="pointer-events-none sticky top-24 z-20 flex h-0 justify-center">
      <Button
        size="sm"
        variant="primary"
        className="pointer-events-auto animate-rise rounded-full shadow-float"
        onClick={show}
      >
        <ArrowUp /> {words}
      </Button>
    </div>
  );
}

const CLEARED = {
  ...{ q: null, range: null, from: null, to: null },
  ...{ status: null, agent: null, client: null, extraction: null },
};

interface NoTasksProps {
  readonly pages: TaskPages;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function NoTasks({ pages, isFiltered, onClear }: NoTasksProps) {
  if (pages.isPending) return <SkeletonRows rows={12} />;
  if (pages.error) {
    return (
      <ErrorState title="The tasks could not be loaded" message={pages.error.message} onRetry={pages.retry} />
    );
  }
  if (isFiltered) {
    return (
      <EmptyState
        icon={SearchX}
        title="No task matches"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        No task matches these filters. Take one away, or look for less.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={FileStack}
      title="No tasks yet"
      action={
        <Button asChild variant="primary">
          <Link href="/submit">Submit documents</Link>
        </Button>
      }
    >
      Each document that is handed in becomes a task. They appear here at once.
    </EmptyState>
  );
}
