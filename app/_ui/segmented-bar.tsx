import type { StatusCounts } from '@/lib/contract/api';
import { cn } from './cn';
import { formatCount } from './format/count';
import { STATUS_LOOK, STATUSES, totalOf } from './status';

/** Final ones first, so that progress grows from the left. */
const BAR_ORDER = ['completed', 'failed', 'cancelled', 'processing', 'enqueued'] as const;

interface SegmentedBarProps {
  readonly counts: StatusCounts;
  readonly size?: 'sm' | 'lg';
  readonly className?: string;
}

/** Tasks per status as shares of one bar. The counts are its name, so it says the same without colour. */
export function SegmentedBar({ counts, size = 'sm', className }: SegmentedBarProps) {
  const total = totalOf(counts);
  return (
    <div
      role="img"
      aria-label={describeCounts(counts)}
      className={cn(
        'flex w-full gap-px overflow-hidden rounded-full bg-line',
        size === 'lg' ? 'h-3' : 'h-1.5',
        className,
      )}
    >
      {total > 0 &&
        BAR_ORDER.filter((status) => counts[status] > 0).map((status) => (
          <span
            key={status}
            className={cn(
              'h-full min-w-0.5 transition-[flex-grow] duration-[180ms]',
              STATUS_LOOK[status].fill,
              {
                'opacity-55': status === 'enqueued',
              },
            )}
            style={{ flexGrow: counts[status], flexBasis: 0 }}
          />
        ))}
    </div>
  );
}

/** `12 tasks: 8 completed, 1 failed, 3 enqueued`. */
function describeCounts(counts: StatusCounts): string {
  const total = totalOf(counts);
  if (total === 0) return 'No tasks';
  const parts = STATUSES.filter((status) => counts[status] > 0).map(
    (status) => `${formatCount(counts[status])} ${STATUS_LOOK[status].word.toLowerCase()}`,
  );
  return `${formatCount(total)} ${total === 1 ? 'task' : 'tasks'}: ${parts.join(', ')}`;
}
