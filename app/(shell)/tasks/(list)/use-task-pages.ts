import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import {
  keys,
  type TaskListFilters,
  taskPageQuery,
  taskRowsQuery,
  tasksHeldQuery,
} from '@/lib/api-client/queries';
import type { TaskList, TaskListItem } from '@/lib/contract/api';
import { cameByHistory } from './came-by-history';

/** Rows that are renewed together; the API gives so many at once. */
const CHUNK = 100;

export interface TaskPages {
  readonly tasks: readonly TaskListItem[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  /** Shown until the answer to other filters is there. */
  readonly isStale: boolean;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  /** Keeps what is listed and its order from now on; rows still show what they are. */
  readonly hold: () => void;
  /** While held: whether the list begins otherwise by now, and with how many that are newer, where that is known. */
  readonly newest: { readonly changed: boolean; readonly more: number | null };
  readonly showNewest: () => void;
  /** The rows that are in view and have to be true. */
  readonly look: (from: number, to: number) => void;
}

/**
 * The tasks under filters, as a list that a person works with: live at its top; once more of it was loaded, or some
 * are selected, nothing comes, goes or moves under the hand. Rows in view are renewed all the same, by their ids, which
 * costs the same however far one has scrolled.
 * @param filters the same object for as long as they are the same
 */
export function useTaskPages(filters: TaskListFilters): TaskPages {
  const client = useQueryClient();
  useForgetUnlessBack(filters);
  const live = useQuery({ ...taskPageQuery(filters), placeholderData: keepPreviousData });
  const held = useInfiniteQuery(tasksHeldQuery(filters));
  const pages = held.data?.pages;

  const hold = useCallback(() => {
    const first = client.getQueryData<TaskList>(keys.taskPage(filters));
    if (!first || client.getQueryData(keys.tasksHeld(filters))) return;
    client.setQueryData(keys.tasksHeld(filters), { pages: [first], pageParams: [null] });
  }, [client, filters]);

  const { fetchNextPage } = held;
  const loadMore = useCallback(() => {
    hold();
    void fetchNextPage({ cancelRefetch: false });
  }, [hold, fetchNextPage]);

  const showNewest = useCallback(() => {
    void client.resetQueries({ queryKey: keys.tasksHeld(filters), exact: true });
  }, [client, filters]);

  const tasks = useMemo(
    () => (pages ? pages.flatMap((page) => page.tasks) : (live.data?.tasks ?? [])),
    [pages, live.data],
  );
  const look = useRenewedRows(filters, tasks, pages !== undefined);
  const next = pages ? pages.at(-1)?.nextCursor : live.data?.nextCursor;
  return {
    tasks,
    isPending: live.isPending,
    error: tasks.length === 0 ? live.error : null,
    retry: () => void live.refetch(),
    isStale: live.isPlaceholderData && !pages,
    hasMore: Boolean(next),
    isLoadingMore: held.isFetchingNextPage,
    loadMore,
    hold,
    newest: compare(filters, pages, live.data),
    showNewest,
    look,
  };
}

/** A list that was left is only held for who comes back to it with the browser's buttons. */
function useForgetUnlessBack(filters: TaskListFilters) {
  const client = useQueryClient();
  const [seen, setSeen] = useState<TaskListFilters | null>(null);
  if (seen === filters) return;
  setSeen(filters);
  if (!cameByHistory()) client.removeQueries({ queryKey: keys.tasksHeld(filters), exact: true });
}

/** Keeps the rows in view of a held list true; returns what is to be told of the view. */
function useRenewedRows(filters: TaskListFilters, tasks: readonly TaskListItem[], isHeld: boolean) {
  const client = useQueryClient();
  const [chunks, setChunks] = useState({ from: 0, to: 0 });
  const ids = useMemo(
    () => (isHeld ? tasks.slice(chunks.from * CHUNK, (chunks.to + 1) * CHUNK).map(({ id }) => id) : []),
    [tasks, chunks, isHeld],
  );
  const first = useQuery(taskRowsQuery(ids.slice(0, CHUNK)));
  const second = useQuery(taskRowsQuery(ids.slice(CHUNK, 2 * CHUNK)));
  const [a, b] = [first.data, second.data];
  useEffect(() => {
    const fresh = new Map([...(a?.tasks ?? []), ...(b?.tasks ?? [])].map((task) => [task.id, task]));
    if (fresh.size === 0) return;
    client.setQueryData(
      tasksHeldQuery(filters).queryKey,
      (old) =>
        old && {
          ...old,
          pages: old.pages.map((page) => ({
            ...page,
            tasks: page.tasks.map((task) => fresh.get(task.id) ?? task),
          })),
        },
    );
  }, [client, filters, a, b]);
  return useCallback((from: number, to: number) => {
    const next = { from: Math.floor(from / CHUNK), to: Math.floor(Math.max(from, to) / CHUNK) };
    setChunks((old) => (old.from === next.from && old.to === next.to ? old : next));
  }, []);
}

function compare(
  filters: TaskListFilters,
  pages: readonly TaskList[] | undefined,
  live: TaskList | undefined,
): TaskPages['newest'] {
  const first = pages?.[0];
  if (!first || !live) return { changed: false, more: null };
  const changed =
    live.tasks.some(({ id }, index) => first.tasks[index]?.id !== id) ||
    live.tasks.length !== first.tasks.length;
  if (filters.sort !== '-created') return { changed, more: null };
  const known = new Set(first.tasks.map(({ id }) => id));
  const newest = first.tasks[0]?.createdAt ?? '';
  return {
    changed,
    more: live.tasks.filter(({ id, createdAt }) => !known.has(id) && createdAt >= newest).length,
  };
}
