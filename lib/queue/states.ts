import type { AttemptStatus, TaskStatus } from '@/lib/contract/api';

/** One legal step of a task. `attempt`: what becomes of the attempt that the step is about; null = about none. */
export interface Transition {
  readonly from: readonly TaskStatus[];
  readonly to: TaskStatus;
  readonly attempt: AttemptStatus | null;
}

/** Every legal step, by outcome. There is no other: each statement names one, and matches its `from` in the database. */
export const TRANSITIONS = {
  claim: { from: ['enqueued'], to: 'processing', attempt: 'claimed' },
  snooze: { from: ['processing'], to: 'enqueued', attempt: 'snoozed' },
  complete: { from: ['enqueued', 'processing'], to: 'completed', attempt: 'succeeded' },
  retryFailed: { from: ['processing'], to: 'enqueued', attempt: 'failed' },
  retryLost: { from: ['processing'], to: 'enqueued', attempt: 'lost' },
  retrySuperseded: { from: ['processing'], to: 'enqueued', attempt: 'superseded' },
  requeue: { from: ['processing'], to: 'enqueued', attempt: null },
  fail: { from: ['processing'], to: 'failed', attempt: 'failed' },
  failLost: { from: ['processing'], to: 'failed', attempt: 'lost' },
  failSuperseded: { from: ['processing'], to: 'failed', attempt: 'superseded' },
  reject: { from: ['enqueued'], to: 'failed', attempt: null },
  cancelWaiting: { from: ['enqueued'], to: 'cancelled', attempt: null },
  cancelOrphan: { from: ['processing'], to: 'cancelled', attempt: null },
  cancelStopped: { from: ['processing'], to: 'cancelled', attempt: 'cancelled' },
  cancelSuperseded: { from: ['processing'], to: 'cancelled', attempt: 'superseded' },
  reopen: { from: ['failed', 'cancelled'], to: 'enqueued', attempt: null },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof TRANSITIONS;

/** No automatic step leaves such a status. */
export function isFinal(status: TaskStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** The attempt may still act for its task. */
export function isLive(status: AttemptStatus): boolean {
  return status === 'claimed' || status === 'running';
}
