import { type Delivery, makeDelivery } from '@/agent/report';
import { type AttemptError, type Callback, MAX_CALLBACK_BYTES, type Usage } from '@/lib/contract/callback';
import { ERROR_CODES, type ErrorCode } from '@/lib/contract/error-codes';
import type { Result } from '@/lib/contract/result';
import type { RunInput } from '@/lib/contract/run-input';

/** How a run ended. `stopped`: it was told to, and there is nothing to report. */
export type Outcome =
  | { readonly kind: 'succeeded'; readonly result: Result; readonly usage: Usage | null }
  | { readonly kind: 'failed'; readonly error: AttemptError; readonly usage: Usage | null }
  | { readonly kind: 'stopped' };

/** A failure with a code of the table, in words that say what happened. */
export function failure(code: ErrorCode, message: string): AttemptError {
  return { code, message, retryable: ERROR_CODES[code].retryable, retryAfterSeconds: null };
}

/** The final delivery of an outcome; a result that nobody would take is a failure, and the same at every try. */
export function finalDelivery(input: RunInput, outcome: Exclude<Outcome, { kind: 'stopped' }>): Delivery {
  const webhookId = `final-${input.attemptId}`;
  const delivery = makeDelivery(webhookId, finalCallback(input, outcome));
  if (Buffer.byteLength(delivery.body) <= MAX_CALLBACK_BYTES) return delivery;
  const error = failure(
    'resource_limit',
    'The result is larger than 10 MiB, which is more than can be kept.',
  );
  const usage = outcome.usage && { ...outcome.usage, calls: [] };
  return makeDelivery(webhookId, finalCallback(input, { kind: 'failed', error, usage }));
}

function finalCallback(input: RunInput, outcome: Exclude<Outcome, { kind: 'stopped' }>): Callback {
  const head = { ...callbackHead(input), usage: outcome.usage };
  return outcome.kind === 'succeeded'
    ? { type: 'attempt.succeeded', ...head, result: outcome.result }
    : { type: 'attempt.failed', ...head, error: outcome.error };
}

/** What every callback of this run says of itself. */
export function callbackHead(input: RunInput): Pick<Callback, 'taskId' | 'attemptId' | 'runId' | 'traceId'> {
  return {
    taskId: input.taskId,
    attemptId: input.attemptId,
    runId: `local-${input.attemptId}`,
    traceId: input.traceId,
  };
}
