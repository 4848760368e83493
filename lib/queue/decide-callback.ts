import type { AttemptStatus, TaskStatus } from '@/lib/contract/api';
import type { Callback } from '@/lib/contract/callback';
import { isFinal } from './states';

/** What is known when a delivery arrives, read under the task's lock. */
export interface CallbackFacts {
  readonly taskStatus: TaskStatus;
  readonly cancelRequested: boolean;
  /** The attempt that reports is the task's live one. */
  readonly isCurrent: boolean;
  readonly attemptStatus: AttemptStatus;
}

/**
 * What a delivery does to its task. `complete`: ends it with the result. `cancel`: ends it cancelled, the result stays
 * with the attempt. `end`: ends the attempt, the task is tried again or fails. `note`: only progress is noted.
 */
export interface CallbackDecision {
  readonly act: 'complete' | 'cancel' | 'end' | 'note' | 'nothing';
  readonly outcome: 'applied' | 'noop' | 'recorded';
  /** Tells the run to end. */
  readonly stop: boolean;
}

/** The fence (architecture, invariant 3), as a table: who may still act for a task, and how. Pure. */
export function decideCallback(type: Callback['type'], facts: CallbackFacts): CallbackDecision {
  const { taskStatus, cancelRequested, isCurrent, attemptStatus } = facts;
  if (isFinal(taskStatus)) {
    const reportedItsEnd = attemptStatus === 'succeeded' || attemptStatus === 'failed';
    return { act: 'nothing', outcome: 'noop', stop: !reportedItsEnd };
  }
  if (type === 'attempt.succeeded') {
    return cancelRequested
      ? { act: 'cancel', outcome: 'applied', stop: true }
      : { act: 'complete', outcome: 'applied', stop: false };
  }
  if (isCurrent) {
    const act = type === 'attempt.failed' ? 'end' : 'note';
    return { act, outcome: 'applied', stop: cancelRequested };
  }
  // Its task waits, or another attempt acts for it. One that was given up while nobody took over may still succeed.
  const stop = taskStatus === 'processing' || attemptStatus === 'superseded' || attemptStatus === 'cancelled';
  return { act: 'nothing', outcome: 'recorded', stop };
}
