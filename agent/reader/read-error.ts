import { ERROR_CODES, type ErrorCode } from '@/lib/contract/error-codes';

/** A document that cannot be read, with the code of the contract and words for the person who uploaded it. */
export class ReadError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string = ERROR_CODES[code].advice,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'ReadError';
  }
}
