import { IdParams } from '@/lib/contract/api-requests';
import { withRoute } from '@/lib/http/route';
import { taskAnswer } from '@/lib/http/task-answer';
import { cancelTask } from '@/lib/queue/cancel';

/** At once while it waits; while it runs the stop is asked for, and the task stays in processing until the run is gone. */
export const POST = withRoute(
  { auth: 'task.cancel', params: IdParams },
  async ({ runtime, params, user }) => {
    await cancelTask(runtime.db, { taskId: params.id, actor: `user:${user.id}` });
    return taskAnswer(runtime, params.id, user, (status) =>
      status === 'completed' || status === 'failed'
        ? `The task is ${status} already; there is nothing to cancel.`
        : null,
    );
  },
);
