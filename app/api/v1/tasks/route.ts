import { clientScope } from '@/lib/auth/roles';
import { TaskListQuery } from '@/lib/contract/api-requests';
import { dashboardOf } from '@/lib/dashboard/dashboard-reads';
import { readTaskList } from '@/lib/dashboard/task-list';
import { pacedJson } from '@/lib/http/paced-json';
import { withRoute } from '@/lib/http/route';

export const GET = withRoute(
  { auth: 'task.read', query: TaskListQuery },
  async ({ runtime: { db }, query, user }) => {
    const scope = clientScope(user);
    const question = `tasks ${JSON.stringify([query, scope])}`;
    return pacedJson(db, await dashboardOf(db).share(question, () => readTaskList(db, query, scope)));
  },
);
