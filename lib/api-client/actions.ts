import type { ExtractionCreated, TaskDetail } from '@/lib/contract/api';
import type { Agent } from '@/lib/contract/api-agents';
import type { BulkBody, BulkOperation, BulkPreview } from '@/lib/contract/api-bulk';
import type { ComputeCostAccepted } from '@/lib/contract/api-metrics';
import type { AgentPatch, NewExtraction } from '@/lib/contract/api-requests';
import type { NewSavedView, SavedView } from '@/lib/contract/api-views';
import { fetchJson, queryString } from './fetch-json';
import type { MetricsFilters } from './queries';

/** Opens an extraction without files; upload to it with `uploadDocument`. */
export function createExtraction(fields: NewExtraction, idempotencyKey?: string): Promise<ExtractionCreated> {
  return fetchJson('/api/v1/extractions', { method: 'POST', body: fields, idempotencyKey });
}

/** Cancels at once, or asks the run to stop; the answer tells which (`status`, `cancelRequestedAt`). */
export function cancelTask(id: string): Promise<TaskDetail> {
  return fetchJson(`/api/v1/tasks/${id}/cancel`, { method: 'POST' });
}

/** Gives a failed or cancelled task a new budget of attempts. */
export function retryTask(id: string): Promise<TaskDetail> {
  return fetchJson(`/api/v1/tasks/${id}/retry`, { method: 'POST' });
}

export function setTaskPriority(id: string, priority: number): Promise<TaskDetail> {
  return fetchJson(`/api/v1/tasks/${id}`, { method: 'PATCH', body: { priority } });
}

/** Opens an operation on many tasks; workers carry it out, and `bulkQuery` tells how far it is. */
export function startBulk(body: BulkBody): Promise<BulkOperation> {
  return fetchJson('/api/v1/tasks/bulk', { method: 'POST', body, idempotencyKey: crypto.randomUUID() });
}

/** What an action on many tasks would do; changes nothing. */
export function previewBulk(body: BulkBody, signal?: AbortSignal): Promise<BulkPreview> {
  return fetchJson('/api/v1/tasks/bulk', { method: 'POST', body: { ...body, preview: true }, signal });
}

/** Opens the operation that takes another one back. */
export function undoBulk(id: string): Promise<BulkOperation> {
  return fetchJson(`/api/v1/bulk/${id}/undo`, { method: 'POST' });
}

export function updateAgent(id: string, patch: AgentPatch): Promise<Agent> {
  return fetchJson(`/api/v1/agents/${encodeURIComponent(id)}`, { method: 'PATCH', body: patch });
}

/** Asks the slow source what the runs of these tasks cost; `computeCostQuery` tells what has come of it. */
export function startComputeCost(filters: MetricsFilters): Promise<ComputeCostAccepted> {
  return fetchJson(`/api/v1/metrics/compute-cost${queryString(filters)}`, { method: 'POST' });
}

/** Saves filters under a name, in place of those that had it. */
export function saveView(view: NewSavedView): Promise<SavedView> {
  return fetchJson('/api/v1/views', { method: 'POST', body: view });
}

export function removeView(id: string): Promise<null> {
  return fetchJson(`/api/v1/views/${id}`, { method: 'DELETE' });
}
