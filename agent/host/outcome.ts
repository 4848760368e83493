import { type Delivery, makeDelivery } from '@/agent/report';
import { type AttemptError, type Callback, MAX_CALLBACK_BYTES, type Usage } from '@/lib/contract/callback';
import { ERROR_CODES, type ErrorCode } from '@/lib/contract/error-codes';
import type { Result } from '@/lib/contract/result';
import type { RunInput } from '@/lib/contract/run-input';

/**
 * How a run ended. `stopped`: it was told to, and there is nothing to report. `reported`: the agent has called back
 * itself, as those of other authors do.
 */
export type Outcome =
  | { readonly kind: 'succeeded'; readonly result: Result; readonly usage: Usage | null }
  | { readonly kind: 'failed'; readonly error: AttemptError; readonly usage: Usage | null }
  | { readonly kind: 'reported' }
  | { readonly kind: 'stopped' };

/** An outcome that somebody has to be told. */
export type Ending = Exclude<Outcome, { kind: 'stopped' | 'reported' }>;

/** What every callback of a run says of itself. */
export type CallbackHead = Pick<Callback, 'taskId' | 'attemptId' | 'runId' | 'traceId'>;

/** A failure with a code of the table, in words that say what happened. */
export function failure(code: ErrorCode, message: string): AttemptError {
  return { code, message, retryable: ERROR_CODES[code].retryable, retryAfterSeconds: null };
}

/** The final delivery of an outcome; a result that nobody would take is a failure, and the same at every try. */
export function finalDelivery(head: CallbackHead, outcome: Ending): Delivery {
  const webhookId = `final-${head.attemptId}`;
  const delivery = makeDelivery(webhookId, finalCallback(head, outcome));
  if (Buffer.byteLength(delivery.body) <= MAX_CALLBACK_BYTES) return delivery;
  const error = failure(
    'resource_limit',
    'The result is larger than 10 MiB, which is more than can be kept.',
  );
  const usage = outcome.usage && { ...outcome.usage, calls: [] };
  return makeDelivery(webhookId, finalCallback(head, { kind: 'failed', error, usage }));
}

function finalCallback(head: CallbackHead, outcome: Ending): Callback {
  const usage = outcome.usage && { ...outcome.usage, endedAt: new Date().toISOString() };
  return outcome.kind === 'succeeded'
    ? { type: 'attempt.succeeded', ...head, usage, result: outcome.result }
    : { type: 'attempt.failed', ...head, usage, error: outcome.error };
}

/** @param runId as the runner knows the run; `null` where the run was not told */
export function callbackHead(input: RunInput, runId: string | null): CallbackHead {
  return { taskId: input.taskId, attemptId: input.attemptId, runId, traceId: input.traceId };
}
