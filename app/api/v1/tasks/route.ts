import { clientScope } from '@/lib/auth/roles';
import { TaskListQuery } from '@/lib/contract/api-requests';
import { readTaskList } from '@/lib/dashboard/task-list';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute({ auth: 'task.read', query: TaskListQuery }, async ({ runtime, query, user }) =>
  json(await readTaskList(runtime.db, query, clientScope(user))),
);
