import type { TaskStatus } from '@/lib/contract/api';
import { cn } from './cn';
import { STATUS_LOOK } from './status';

interface StatusBadgeProps {
  readonly status: TaskStatus;
  /** Says more than the status alone, such as "Cancelling". */
  readonly word?: string;
  /** The name of a status rather than the one that something has: nothing moves, as nothing does. */
  readonly still?: boolean;
  readonly className?: string;
}

/** A status as icon and word; the ring of `processing` turns. */
export function StatusBadge({ status, word, still, className }: StatusBadgeProps) {
  const look = STATUS_LOOK[status];
  const Icon = look.icon;
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 whitespace-nowrap align-middle font-medium',
        look.text,
        className,
      )}
    >
      <Icon
        aria-hidden
        className={cn('size-3.5 shrink-0', status === 'processing' && !still && 'animate-ring')}
        strokeWidth={2.25}
      />
      {word ?? look.word}
    </span>
  );
}
