import type { Attempt, TaskDetail } from '@/lib/contract/api';

interface Compared {
  readonly estimated: number | null;
  readonly actual: number | null;
  /** Of the actual value, signed: `+25 %` was estimated too high. Null where either is missing. */
  readonly difference: string | null;
}

/** What was estimated of a task against what its last attempt that ended has used. Pure. */
export function compareEstimate(
  task: Pick<TaskDetail, 'estimatedTokens' | 'estimatedSeconds' | 'attempts'>,
): {
  readonly tokens: Compared;
  readonly seconds: Compared;
} {
  const last = task.attempts.findLast(({ finishedAt, dispatchedAt }) => finishedAt && dispatchedAt);
  return {
    tokens: compare(task.estimatedTokens, tokensOf(last)),
    seconds: compare(task.estimatedSeconds, secondsOf(last)),
  };
}

function tokensOf(attempt: Attempt | undefined): number | null {
  if (!attempt || attempt.inputTokens === null) return null;
  return attempt.inputTokens + (attempt.outputTokens ?? 0);
}

function secondsOf(attempt: Attempt | undefined): number | null {
  if (!attempt?.dispatchedAt || !attempt.finishedAt) return null;
  return Math.max(0, (Date.parse(attempt.finishedAt) - Date.parse(attempt.dispatchedAt)) / 1000);
}

function compare(estimated: number | null, actual: number | null): Compared {
  if (estimated === null || actual === null || actual === 0) return { estimated, actual, difference: null };
  const percent = Math.round(((estimated - actual) / actual) * 100);
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±';
  return { estimated, actual, difference: `${sign}${Math.abs(percent)}\u202f%` };
}
