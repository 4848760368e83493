import type { Attempt, TaskDetail } from '@/lib/contract/api';

/** A stretch of an attempt's life, in the order in which they come. */
export interface Phase {
  readonly name: 'waited' | 'dispatch' | 'run' | 'callback' | 'stopping';
  /** So far, where it goes on. */
  readonly seconds: number;
  readonly isOver: boolean;
}

/**
 * How the time of an attempt divides: from when its task began to wait until it was claimed, until its run was started,
 * until it had its outcome, until the callback had brought it here, and until the run was known to have stopped. Where
 * the run did not say when it had its outcome, the way of the callback is part of the run. Pure.
 * @param now milliseconds
 */
export function phasesOf(task: TaskDetail, attempt: Attempt, now: number): Phase[] {
  const { claimedAt, dispatchedAt, finishedAt, runStoppedAt } = attempt;
  const outcomeAt = outcomeWithin(attempt);
  const marks: readonly (readonly [Phase['name'], string, string | null])[] = [
    ['waited', waitingSince(task, attempt), claimedAt],
    ['dispatch', claimedAt, dispatchedAt ?? finishedAt],
    ...(dispatchedAt ? ([['run', dispatchedAt, outcomeAt ?? finishedAt]] as const) : []),
    ...(outcomeAt ? ([['callback', outcomeAt, finishedAt]] as const) : []),
    ...(dispatchedAt && finishedAt && attempt.status === 'superseded'
      ? ([['stopping', finishedAt, runStoppedAt]] as const)
      : []),
  ];
  return marks.map(([name, from, to]) => ({
    name,
    seconds: Math.max(0, ((to === null ? now : Date.parse(to)) - Date.parse(from)) / 1000),
    isOver: to !== null,
  }));
}

/** When the run had its outcome; its clock is another one, so it is moved to where it can have been. */
function outcomeWithin({ dispatchedAt, workEndedAt, finishedAt }: Attempt): string | null {
  if (!dispatchedAt || !workEndedAt || !finishedAt) return null;
  const at = Date.parse(workEndedAt);
  if (Number.isNaN(at) || at > Date.parse(finishedAt)) return finishedAt;
  return at < Date.parse(dispatchedAt) ? dispatchedAt : workEndedAt;
}

/** The last time before the claim that the task came to wait: its creation, a retry, or the end of the attempt before. */
function waitingSince(task: TaskDetail, attempt: Attempt): string {
  const claimed = Date.parse(attempt.claimedAt);
  const began = task.events
    .filter(
      ({ toStatus, fromStatus, at }) =>
        toStatus === 'enqueued' && fromStatus !== 'enqueued' && Date.parse(at) <= claimed,
    )
    .map(({ at }) => at);
  return began.at(-1) ?? task.createdAt;
}
