import type { TaskListItem } from '@/lib/contract/api';
import { explainError } from '../../../_ui/explain-error';
import { StatusBadge } from '../../../_ui/status-badge';

/** The status, with how far the run is, or why the task failed. */
export function TaskState({ task }: { readonly task: TaskListItem }) {
  if (task.status === 'processing') {
    const { progress } = task;
    const word = task.cancelRequestedAt ? 'Cancelling' : 'Processing';
    return (
      <StatusBadge
        status="processing"
        word={progress && progress.total > 0 ? `${word} ${progress.done}/${progress.total}` : word}
        className="tabular text-sm"
      />
    );
  }
  if (task.status === 'failed' && task.errorCode) {
    return (
      <StatusBadge
        status="failed"
        word={explainError(task.errorCode, task.errorMessage).title}
        className="min-w-0 max-w-full overflow-hidden text-sm"
      />
    );
  }
  return <StatusBadge status={task.status} className="text-sm" />;
}
