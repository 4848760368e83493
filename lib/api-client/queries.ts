import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Extraction, ExtractionList, TaskDetail, TaskList } from '@/lib/contract/api';
import type { AgentHistory, AgentList } from '@/lib/contract/api-agents';
import type { BulkOperation } from '@/lib/contract/api-bulk';
import type { ExtractionChecks } from '@/lib/contract/api-checks';
import type { Health } from '@/lib/contract/api-health';
import type { ComputeCostAnswer, Metrics, MetricsQuery } from '@/lib/contract/api-metrics';
import type { ExtractionListQuery, TaskListQuery } from '@/lib/contract/api-requests';
import type { SavedViewList } from '@/lib/contract/api-views';
import { fetchJson, queryString } from './fetch-json';
import { isUnreachable } from './reachability';

type Filters<T> = Partial<Omit<T, 'cursor' | 'limit'>> & { readonly limit?: number };
export type TaskListFilters = Filters<TaskListQuery>;
export type ExtractionListFilters = Filters<ExtractionListQuery>;
export type MetricsFilters = Partial<Omit<MetricsQuery, 'exact'>> & { readonly exact?: 'true' };

/**
 * Every query key, in one place. A change event invalidates by prefix: `keys.tasks`, `keys.extractions` …
 * The permanent poll is a default of the query client (POLL_INTERVAL_SECONDS). A server component prefetches under the same key with the read model as its function.
 */
export const keys = {
  extractions: ['extractions'] as const,
  extractionList: (filters: ExtractionListFilters) => ['extractions', 'list', filters] as const,
  extraction: (id: string) => ['extractions', 'one', id] as const,
  extractionChecks: (id: string, settled: number | null) =>
    ['extractions', 'one', id, 'checks', settled] as const,
  tasks: ['tasks'] as const,
  taskList: (filters: TaskListFilters) => ['tasks', 'list', filters] as const,
  /** Its first page alone, not as an infinite list. */
  taskPage: (filters: TaskListFilters) => ['tasks', 'page', filters] as const,
  /** A list that its reader has scrolled: what is in it and its order stay until the newest is asked for. */
  tasksHeld: (filters: TaskListFilters) => ['tasks', 'held', filters] as const,
  taskRows: (ids: readonly string[]) => ['tasks', 'rows', ids] as const,
  task: (id: string) => ['tasks', 'one', id] as const,
  bulk: (id: string) => ['bulk', id] as const,
  agents: ['agents'] as const,
  agentHistory: (id: string) => ['agents', 'history', id] as const,
  health: ['health'] as const,
  metrics: ['metrics'] as const,
  metricsFor: (filters: MetricsFilters) => ['metrics', filters] as const,
  views: ['views'] as const,
  computeCost: (id: string) => ['compute-cost', id] as const,
};

/** Submissions, newest first, page by page. */
export function extractionListQuery(filters: ExtractionListFilters = {}) {
  return infiniteQueryOptions({
    queryKey: keys.extractionList(filters),
    queryFn: ({ pageParam, signal }) =>
      fetchJson<ExtractionList>(`/api/v1/extractions${queryString({ ...filters, cursor: pageParam })}`, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}

export function extractionQuery(id: string) {
  return queryOptions({
    queryKey: keys.extraction(id),
    queryFn: ({ signal }) => fetchJson<Extraction>(`/api/v1/extractions/${id}`, { signal }),
  });
}

/** Under which an extraction's checks are known: how many have completed once it is over, null while it goes on. */
export function settledAt({ counts }: Pick<Extraction, 'counts'>): number | null {
  return counts.enqueued + counts.processing === 0 ? counts.completed : null;
}

/**
 * Reads all results of an extraction, so it waits for the poll where everything else follows each change, and is not asked
 * again once all is over.
 */
export function extractionChecksQuery(id: string, settled: number | null) {
  return queryOptions({
    queryKey: keys.extractionChecks(id, settled),
    queryFn: ({ signal }) => fetchJson<ExtractionChecks>(`/api/v1/extractions/${id}/checks`, { signal }),
    staleTime: 'static',
    ...(settled !== null && { refetchInterval: false as const }),
  });
}

/** Tasks under filters, page by page. */
export function taskListQuery(filters: TaskListFilters = {}) {
  return infiniteQueryOptions({
    queryKey: keys.taskList(filters),
    queryFn: ({ pageParam, signal }) =>
      fetchJson<TaskList>(`/api/v1/tasks${queryString({ ...filters, cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}

function fetchTasks(
  query: TaskListFilters & { readonly cursor?: string | null },
  signal: AbortSignal,
): Promise<TaskList> {
  return fetchJson<TaskList>(`/api/v1/tasks${queryString(query)}`, { signal });
}

/** The first page of tasks under filters. */
export function taskPageQuery(filters: TaskListFilters) {
  return queryOptions({
    queryKey: keys.taskPage(filters),
    queryFn: ({ signal }) => fetchTasks(filters, signal),
  });
}

/** Page after page as they were when they were read: neither a change nor the poll fetches them again. */
export function tasksHeldQuery(filters: TaskListFilters) {
  return infiniteQueryOptions({
    queryKey: keys.tasksHeld(filters),
    queryFn: ({ pageParam, signal }) => fetchTasks({ ...filters, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    enabled: false,
    staleTime: 'static',
    refetchInterval: false,
  });
}

/** Some tasks as they are now; 100 at most. */
export function taskRowsQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: keys.taskRows(ids),
    queryFn: ({ signal }) => fetchTasks({ id: [...ids], limit: 100 }, signal),
    enabled: ids.length > 0,
    gcTime: 0,
  });
}

export function taskQuery(id: string) {
  return queryOptions({
    queryKey: keys.task(id),
    queryFn: ({ signal }) => fetchJson<TaskDetail>(`/api/v1/tasks/${id}`, { signal }),
  });
}

/** A bulk operation is over in seconds: it is looked at more often than anything else, until it is. */
const BULK_POLL_MS = 500;

export function bulkQuery(id: string) {
  return queryOptions({
    queryKey: keys.bulk(id),
    queryFn: ({ signal }) => fetchJson<BulkOperation>(`/api/v1/bulk/${id}`, { signal }),
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : orLater(BULK_POLL_MS)),
  });
}

export function agentsQuery() {
  return queryOptions({
    queryKey: keys.agents,
    queryFn: ({ signal }) => fetchJson<AgentList>('/api/v1/agents', { signal }),
  });
}

/** Who changed what of an agent, newest first, page by page. */
export function agentHistoryQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: keys.agentHistory(id),
    queryFn: ({ pageParam, signal }) =>
      fetchJson<AgentHistory>(
        `/api/v1/agents/${encodeURIComponent(id)}/history${queryString({ limit: 20, cursor: pageParam })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}

/** How every part is. Its own poll renews it; that tasks have changed says nothing about it. */
export function healthQuery() {
  return queryOptions({
    queryKey: keys.health,
    queryFn: ({ signal }) => fetchJson<Health>('/api/v1/health', { signal }),
    staleTime: 'static',
  });
}

export function metricsQuery(filters: MetricsFilters = {}) {
  return queryOptions({
    queryKey: keys.metricsFor(filters),
    queryFn: ({ signal }) => fetchJson<Metrics>(`/api/v1/metrics${queryString(filters)}`, { signal }),
  });
}

/** The person's own saved views; they change by their own hand only. */
export function viewsQuery() {
  return queryOptions({
    queryKey: keys.views,
    queryFn: ({ signal }) => fetchJson<SavedViewList>('/api/v1/views', { signal }),
    refetchInterval: false,
    staleTime: 60_000,
  });
}

/** The pause of a quick poll, longer while nothing answers. */
function orLater(pauseMs: number): number {
  return isUnreachable() ? Math.max(pauseMs, 10_000) : pauseMs;
}

/** The slow source: looked at often enough that its end is seen, and no more once it has come. */
const COMPUTE_COST_POLL_MS = 2_000;

export function computeCostQuery(id: string) {
  return queryOptions({
    queryKey: keys.computeCost(id),
    queryFn: ({ signal }) => fetchJson<ComputeCostAnswer>(`/api/v1/metrics/compute-cost/${id}`, { signal }),
    refetchInterval: ({ state }) =>
      state.data && state.data.status !== 'pending' ? false : orLater(COMPUTE_COST_POLL_MS),
  });
}

/** Where a document's bytes are; ranges are served. */
export function documentContentUrl(documentId: string): string {
  return `/api/v1/documents/${documentId}/content`;
}

/** Where an extraction's results can be downloaded. */
export function exportUrl(extractionId: string, format: 'csv' | 'xlsx' | 'json'): string {
  return `/api/v1/extractions/${extractionId}/export?format=${format}`;
}
