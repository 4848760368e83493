import { ApiError } from '@/lib/api-client/api-error';
import { fetchJson, queryString } from '@/lib/api-client/fetch-json';
import type { TaskList, TaskListItem, TaskStatus } from '@/lib/contract/api';

const AT_ONCE = 4;
const PAGE = 200;

/** Every task of an extraction in some statuses, page by page. */
export async function tasksIn(extraction: string, status: readonly TaskStatus[]): Promise<TaskListItem[]> {
  const tasks: TaskListItem[] = [];
  let cursor: string | null = null;
  do {
    const page: TaskList = await fetchJson(
      `/api/v1/tasks${queryString({ extraction, status, cursor, sort: 'created', limit: PAGE })}`,
    );
    tasks.push(...page.tasks);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return tasks;
}

/**
 * Does something to each task, a few at once. A task that has moved on meanwhile is not a failure of the action.
 * @returns how many could not be acted on, and the first reason
 */
export async function actOnEach(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<{ refused: number; reason: string | null }> {
  const waiting = [...ids];
  let refused = 0;
  let reason: string | null = null;
  const lane = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await act(id);
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) continue;
        refused += 1;
        reason ??= error instanceof Error ? error.message : null;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { refused, reason };
}
