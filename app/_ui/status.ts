import { Ban, CircleCheck, CircleX, Clock, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { StatusCounts, TaskStatus } from '@/lib/contract/api';

interface StatusLook {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly text: string;
  readonly fill: string;
  /** For charts, which take a colour and no class. */
  readonly color: string;
}

/** The five statuses in the order of a task's life; the words and colours of each. */
export const STATUSES = [
  'enqueued',
  'processing',
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly TaskStatus[];

export const STATUS_LOOK: Record<TaskStatus, StatusLook> = {
  enqueued: {
    word: 'Enqueued',
    icon: Clock,
    text: 'text-enqueued',
    fill: 'bg-enqueued',
    color: 'var(--enqueued)',
  },
  processing: {
    word: 'Processing',
    icon: LoaderCircle,
    text: 'text-processing',
    fill: 'bg-processing',
    color: 'var(--processing)',
  },
  completed: {
    word: 'Completed',
    icon: CircleCheck,
    text: 'text-completed',
    fill: 'bg-completed',
    color: 'var(--completed)',
  },
  failed: { word: 'Failed', icon: CircleX, text: 'text-failed', fill: 'bg-failed', color: 'var(--failed)' },
  cancelled: {
    word: 'Cancelled',
    icon: Ban,
    text: 'text-cancelled',
    fill: 'bg-cancelled',
    color: 'var(--cancelled)',
  },
};

/** All tasks of a set of counts. */
export function totalOf(counts: StatusCounts): number {
  return STATUSES.reduce((sum, status) => sum + counts[status], 0);
}
