import 'server-only';
import { clientScope } from '@/lib/auth/roles';
import type { TaskStatus } from '@/lib/contract/api';
import type { SessionUser } from '@/lib/contract/roles';
import { readTask } from '@/lib/dashboard/task-detail';
import { DomainError } from '@/lib/errors';
import { traceLink } from '@/lib/platform/trace-source/settings';
import type { AppRuntime } from './app-runtime';
import { json } from './json';

/**
 * The task as it stands now. Throws `not_found`, also for a task that the caller may not see.
 * @param refuse words for a state in which the action that came before could do nothing; null = the action is done, or
 *   was done before
 */
export async function taskAnswer(
  runtime: AppRuntime,
  id: string,
  user: SessionUser,
  refuse?: (status: TaskStatus) => string | null,
): Promise<Response> {
  const task = await readTask(runtime.db, id, clientScope(user), (traceId) =>
    traceLink(runtime.config, traceId),
  );
  if (!task) throw new DomainError('not_found', 'There is no such task.');
  const refusal = refuse?.(task.status);
  if (refusal) throw new DomainError('conflict', refusal);
  return json(task);
}
