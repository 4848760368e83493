/** What a caller can act on. `lib/http` maps each code to one HTTP status; the words are shown to a person. */
export type DomainErrorCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'too_many_requests'
  | 'unavailable';

/** An expected refusal with words for the person who can act. Anything else that is thrown is a defect. */
export class DomainError extends Error {
  /** By its name: Next's bundles each hold a copy of this class, and share what the process was composed of. */
  static override [Symbol.hasInstance](value: unknown): value is DomainError {
    return value instanceof Error && value.name === 'DomainError';
  }

  constructor(
    readonly code: DomainErrorCode,
    message: string,
    options?: { cause?: unknown; details?: Record<string, unknown> },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DomainError';
    this.details = options?.details;
  }
  readonly details: Record<string, unknown> | undefined;
}
