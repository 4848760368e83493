import type { TaskListItem, TaskStatus } from '@/lib/contract/api';
import type { BulkAction } from '@/lib/contract/api-bulk';

const STATUSES: Record<BulkAction, readonly TaskStatus[]> = {
  retry: ['failed', 'cancelled'],
  cancel: ['enqueued', 'processing'],
  reprioritise: ['enqueued', 'processing'],
};

/** Whether an action can change a task as it is now. */
export function actsOn(
  action: BulkAction,
  task: Pick<TaskListItem, 'status' | 'cancelRequestedAt'>,
): boolean {
  return STATUSES[action].includes(task.status) && !(action === 'cancel' && task.cancelRequestedAt !== null);
}
