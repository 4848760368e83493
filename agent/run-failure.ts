import type { AttemptError } from '@/lib/contract/callback';
import { ERROR_CODES, type ErrorCode } from '@/lib/contract/error-codes';
import { ReadError } from './reader/read-error';

/** Ends a run with the error that is reported for it. */
export class RunFailure extends Error {
  readonly attemptError: AttemptError;

  constructor(
    code: ErrorCode,
    message: string,
    options: { retryable?: boolean; retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RunFailure';
    this.attemptError = {
      code,
      message,
      retryable: options.retryable ?? ERROR_CODES[code].retryable,
      retryAfterSeconds: options.retryAfterSeconds ?? null,
    };
  }
}

/** What is reported for anything that ended a run; `expected` is false for a defect, which belongs in the log. */
export function toAttemptError(error: unknown): { error: AttemptError; expected: boolean } {
  if (error instanceof RunFailure) return { error: error.attemptError, expected: true };
  if (error instanceof ReadError) {
    const { code, message } = error;
    const { retryable } = ERROR_CODES[code];
    return { error: { code, message, retryable, retryAfterSeconds: null }, expected: true };
  }
  return {
    error: {
      code: 'internal',
      message: ERROR_CODES.internal.advice,
      retryable: true,
      retryAfterSeconds: null,
    },
    expected: false,
  };
}
