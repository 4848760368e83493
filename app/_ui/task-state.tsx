import { SearchX } from 'lucide-react';
import type { TaskListItem } from '@/lib/contract/api';
import { cn } from './cn';
import { explainError } from './explain-error';
import { StatusBadge } from './status-badge';

interface TaskStateProps {
  readonly task: Pick<
    TaskListItem,
    'status' | 'progress' | 'cancelRequestedAt' | 'errorCode' | 'errorMessage' | 'confidence'
  > & {
    /** Known where the result is: lists never read it. */
    readonly foundNothing?: boolean;
  };
  /** The status alone, where the rest of the page says more. */
  readonly brief?: boolean;
  readonly className?: string;
}

/** The status, with how far the run is, why the task failed, or that its result is not to be relied on unseen. */
export function TaskState({ task, brief = false, className }: TaskStateProps) {
  const { status, progress, errorCode } = task;
  if (status === 'completed' && (task.foundNothing || task.confidence === null)) {
    return (
      <span
        className={cn('inline-flex items-center gap-1.5 whitespace-nowrap font-medium text-muted', className)}
        title={
          task.foundNothing
            ? 'Completed, and not one value was found'
            : 'Completed without a confidence: most likely nothing was found'
        }
      >
        <SearchX aria-hidden className="size-3.5 shrink-0" strokeWidth={2.25} />
        {task.confidence === null ? 'No confidence' : 'Nothing found'}
      </span>
    );
  }
  if (status === 'processing') {
    const word = task.cancelRequestedAt ? 'Cancelling' : 'Processing';
    const share = !brief && progress && progress.total > 0 ? ` ${progress.done}/${progress.total}` : '';
    return <StatusBadge status={status} word={`${word}${share}`} className={cn('tabular', className)} />;
  }
  if (status === 'failed' && errorCode && !brief) {
    return (
      <StatusBadge
        status={status}
        word={explainError(errorCode, task.errorMessage).title}
        className={cn('min-w-0 max-w-full overflow-hidden', className)}
      />
    );
  }
  return <StatusBadge status={status} className={className} />;
}
