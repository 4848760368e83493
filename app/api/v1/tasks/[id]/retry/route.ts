import { IdParams } from '@/lib/contract/api-requests';
import { withRoute } from '@/lib/http/route';
import { taskAnswer } from '@/lib/http/task-answer';
import { retryTask } from '@/lib/queue/retry-task';

/** A new budget of attempts for a failed or cancelled task; its history is kept. */
export const POST = withRoute({ auth: 'task.retry', params: IdParams }, async ({ runtime, params, user }) => {
  await retryTask(runtime.db, { taskId: params.id, actor: `user:${user.id}` });
  return taskAnswer(runtime, params.id, user, (status) =>
    status === 'completed' ? 'The task is completed; its result stays as it is.' : null,
  );
});
