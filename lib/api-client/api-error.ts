import type { Problem } from '@/lib/contract/api-problem';

/** A refusal of the API, or a connection that failed (`status` 0); `message` is for the person who reads it. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly problem: Problem | null = null,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'ApiError';
  }
}

/** Turns the body of a failed answer into an error, whatever a proxy in between made of it. */
export function apiErrorFrom(status: number, body: unknown): ApiError {
  if (isProblem(body)) return new ApiError(status, body.code, body.detail, body);
  return new ApiError(status, 'unexpected', `The server answered ${status}. Nothing was changed; try again.`);
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'detail' in body &&
    typeof body.detail === 'string'
  );
}
