import { IdParams, TaskPatch } from '@/lib/contract/api-requests';
import { withRoute } from '@/lib/http/route';
import { taskAnswer } from '@/lib/http/task-answer';
import { setPriority } from '@/lib/queue/prioritise';

export const GET = withRoute({ auth: 'task.read', params: IdParams }, ({ runtime, params, user }) =>
  taskAnswer(runtime, params.id, user),
);

/** Only a waiting task has an order; a later one keeps the number and nothing changes. */
export const PATCH = withRoute(
  { auth: 'task.prioritise', params: IdParams, body: TaskPatch },
  async ({ runtime, params, body, user }) => {
    await setPriority(runtime.db, { taskId: params.id, priority: body.priority, actor: `user:${user.id}` });
    return taskAnswer(runtime, params.id, user);
  },
);
