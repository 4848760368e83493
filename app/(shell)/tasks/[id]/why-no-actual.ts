import type { Attempt } from '@/lib/contract/api';

/** Why there is nothing to compare an estimate with, in words. Pure. */
export function whyNoActual(attempts: readonly Pick<Attempt, 'finishedAt' | 'dispatchedAt'>[]): string {
  const ended = attempts.filter(({ finishedAt }) => finishedAt !== null);
  if (ended.length === 0) return 'No attempt has ended yet';
  if (ended.every(({ dispatchedAt }) => dispatchedAt === null)) return 'No attempt came to a run';
  return 'The last run has not reported it';
}
