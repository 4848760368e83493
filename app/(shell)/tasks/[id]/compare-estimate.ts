import type { Attempt, TaskDetail } from '@/lib/contract/api';

interface Compared {
  readonly estimated: number | null;
  readonly actual: number | null;
  /** How the actual value compares, in words: `4.4 × as much as estimated`. Null where either is missing. */
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
  if (estimated === null || actual === null || actual <= 0 || estimated <= 0) {
    return { estimated, actual, difference: null };
  }
  return { estimated, actual, difference: comparedWords(actual / estimated) };
}

/** From here on a multiple is easier to grasp than percent. */
const MULTIPLE_FROM = 2;

/** @param ratio actual ÷ estimated, above 0 */
function comparedWords(ratio: number): string {
  if (ratio >= MULTIPLE_FROM) return `${times(ratio)} the estimate`;
  const percent = Math.round((ratio - 1) * 100);
  if (percent === 0) return 'as estimated';
  const size = `${Math.abs(percent)}\u202f%`;
  return percent > 0 ? `${size} over the estimate` : `${size} under the estimate`;
}

function times(ratio: number): string {
  return `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)}\u202f×`;
}
