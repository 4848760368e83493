import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { TaskDetail, TaskList, type TaskListItem } from '@/lib/contract/api';
import { type Api, ApiRefusal, callApi } from './api';
import { CliError } from './cli-error';

const POLL_MS = 1000;
/** So long may an instance be away, for a restart for example, before we stop waiting for it. */
const PATIENCE_MS = 5 * 60_000;
const DETAILS_AT_ONCE = 4;
const FINAL = new Set(['completed', 'failed', 'cancelled']);

/** Waits until all tasks are final. Throws `CliError` when the instance stays away. */
export async function followTasks(
  api: Api,
  extractionId: string,
  taskIds: readonly string[],
  onChange: (final: number) => void,
): Promise<void> {
  const open = new Set(taskIds);
  for (let reachedAt = Date.now(); open.size > 0; await delay(POLL_MS)) {
    try {
      for (const task of await listTasks(api, extractionId)) if (FINAL.has(task.status)) open.delete(task.id);
      reachedAt = Date.now();
      onChange(taskIds.length - open.size);
      if (open.size === 0) return;
    } catch (error) {
      if (error instanceof ApiRefusal && error.status < 500 && error.status !== 429) throw error;
      if (Date.now() - reachedAt > PATIENCE_MS) {
        throw new CliError(`Tickmark at ${api.url} does not answer any more`, 1, { cause: error });
      }
    }
  }
}

async function listTasks(api: Api, extractionId: string): Promise<TaskListItem[]> {
  const tasks: TaskListItem[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: URLSearchParams = new URLSearchParams({ extraction: extractionId, limit: '200', cursor });
    const page: TaskList = await callApi(api, `/api/v1/tasks?${query}`, TaskList);
    tasks.push(...page.tasks);
    cursor = page.nextCursor;
  }
  return tasks;
}

/** The tasks with their results, by id; one that can't be read is left out. */
export async function readTasks(api: Api, taskIds: readonly string[]): Promise<Map<string, TaskDetail>> {
  const limit = pLimit(DETAILS_AT_ONCE);
  const details = await Promise.all(
    taskIds.map((id) =>
      limit(
        async () =>
          (await callApi(api, `/api/v1/tasks/${id}`, TaskDetail).catch(() => null)) as TaskDetail | null,
      ),
    ),
  );
  return new Map(details.filter((task) => task !== null).map((task) => [task.id, task]));
}
