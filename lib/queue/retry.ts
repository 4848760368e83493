import { ERROR_CODES, isErrorCode } from '@/lib/contract/error-codes';
import { isOutageCode, type OutageOfTask } from './outage';

/** After so many attempts lost in a row the task itself is the likeliest cause: it is parked as `run_lost`. */
export const MAX_LOST = 3;
/**
 * A provider that is out of quota or away says nothing of the document, so such an end adds an attempt to the budget:
 * for so long, counted from the first of a task's attempts in a row that ended so. After that they count as any other,
 * so that a model that is down for good ends in a failure.
 */
export const MAX_OUTAGE_SECONDS = 6 * 3600;
/** And for so many ends that had used tokens before they were refused: they cost money. */
export const MAX_PAID_OUTAGE_ENDS = 30;

/** How an agent's tasks are tried again. */
export interface RetryPolicy {
  /** After the first attempt. */
  readonly baseSeconds: number;
  /** Each further wait is so many times as long … */
  readonly factor: number;
  /** … up to this. */
  readonly capSeconds: number;
}

export interface RetryFacts {
  readonly code: string;
  /** What the agent said; a permanent code of the contract outranks it. */
  readonly retryable: boolean;
  /** Floor of the wait. */
  readonly retryAfterSeconds?: number | null;
  /** Claims so far, this one included. */
  readonly attemptCount: number;
  readonly maxAttempts: number;
  /** Attempts lost in a row, this one included if it was. */
  readonly lostCount: number;
  /** For a code of {@link isOutageCode}, what the task has seen of it; else null. */
  readonly outage: OutageOfTask | null;
  readonly policy: RetryPolicy;
}

export type RetryDecision =
  | {
      readonly kind: 'retry';
      readonly delaySeconds: number;
      /** Attempts to be added to the task's budget. */
      readonly addAttempts: 0 | 1;
    }
  | { readonly kind: 'fail'; readonly why: 'permanent' | 'attempts_used_up' | 'lost_too_often' };

/** Whether a task whose attempt ended without success is tried again, and when. Pure: `random` is given. */
export function decideRetry(facts: RetryFacts, random: () => number = Math.random): RetryDecision {
  if (!isRetryable(facts)) return { kind: 'fail', why: 'permanent' };
  if (facts.lostCount >= MAX_LOST) return { kind: 'fail', why: 'lost_too_often' };
  const addAttempts = isProvidersFault(facts) ? 1 : 0;
  if (facts.attemptCount >= facts.maxAttempts + addAttempts) {
    return { kind: 'fail', why: 'attempts_used_up' };
  }
  return { kind: 'retry', delaySeconds: backoffSeconds(facts, random), addAttempts };
}

/** A model that used tokens and is called away all the same did answer: that may well be the document's doing. */
function isProvidersFault({ code, outage }: RetryFacts): boolean {
  if (!outage || !isOutageCode(code) || (code === 'model_unavailable' && outage.isPaid)) return false;
  return outage.seconds < MAX_OUTAGE_SECONDS && outage.paidEnds <= MAX_PAID_OUTAGE_ENDS;
}

function isRetryable({ code, retryable }: RetryFacts): boolean {
  return retryable && (!isErrorCode(code) || ERROR_CODES[code].retryable);
}

/**
 * Grows from the base by the factor up to the cap; of that, half is jitter, so that what failed together does not come
 * back together. A Retry-After is a floor, with jitter upward only: coming early would be refused again.
 */
export function backoffSeconds(
  {
    attemptCount,
    retryAfterSeconds,
    policy,
  }: Pick<RetryFacts, 'attemptCount' | 'retryAfterSeconds' | 'policy'>,
  random: () => number,
): number {
  const { baseSeconds, factor, capSeconds } = policy;
  const full = Math.min(capSeconds, baseSeconds * factor ** Math.min(300, Math.max(0, attemptCount - 1)));
  const jittered = full * (0.5 + 0.5 * random());
  const floor = retryAfterSeconds ?? 0;
  return floor > 0 ? Math.max(jittered, floor * (1 + 0.25 * random())) : jittered;
}
