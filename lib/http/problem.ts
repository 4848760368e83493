import 'server-only';
import type { ZodError } from 'zod';
import type { Problem } from '@/lib/contract/api-problem';
import { WorkspaceError } from '@/lib/databricks/workspace-error';
import { errorCode, isConnectionLoss } from '@/lib/db/connection-loss';
import { DomainError, type DomainErrorCode } from '@/lib/errors';

const STATUS: Record<DomainErrorCode, { status: number; title: string }> = {
  bad_request: { status: 400, title: 'Request not understood' },
  unauthenticated: { status: 401, title: 'Sign-in needed' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  conflict: { status: 409, title: 'Conflict' },
  payload_too_large: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'Content type not accepted' },
  unprocessable: { status: 422, title: 'Cannot be processed' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  unavailable: { status: 503, title: 'Not available now' },
};

/** A value from outside that does not match its schema. */
export class InvalidInput extends Error {
  constructor(
    readonly where: 'path' | 'query' | 'body',
    readonly zodError: ZodError,
  ) {
    super(`invalid ${where}`);
    this.name = 'InvalidInput';
  }
}

/** An RFC 9457 answer. */
export function problemResponse(
  problem: Omit<Problem, 'type'> & { readonly type?: string },
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body: Problem = { type: 'about:blank', ...problem };
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': problem.requestId,
      ...headers,
    },
  });
}

/**
 * The one mapping from errors to answers. `null`: it concerns an operator, so the caller logs it and answers with
 * {@link loggedProblem}.
 */
export function problemFor(error: unknown, requestId: string): Response | null {
  if (error instanceof InvalidInput) return invalidInput(error, requestId);
  if (error instanceof DomainError) return domainProblem(error, requestId);
  if (isDiskFull(error)) {
    const words =
      'The disk that holds the documents is full. Nothing was stored; ask an operator to make room.';
    return domainProblem(new DomainError('unavailable', words), requestId);
  }
  if (isDatabaseAway(error)) {
    return domainProblem(
      new DomainError('unavailable', 'The database cannot be reached just now. Nothing was lost; try again.'),
      requestId,
    );
  }
  return null;
}

/** The answer to what was logged: a platform that refuses or is away is named, a defect is not. */
export function loggedProblem(error: unknown, requestId: string): Response {
  if (!(error instanceof WorkspaceError)) return internalProblem(requestId);
  const words = error.retryable
    ? `Databricks does not answer just now. Try again; if it stays so, name ${requestId} to an operator.`
    : error.message;
  return domainProblem(new DomainError('unavailable', words), requestId);
}

/** What a stranger may know of a defect: nothing but the id under which it is logged. */
function internalProblem(requestId: string): Response {
  return problemResponse({
    title: 'Internal error',
    status: 500,
    code: 'internal',
    detail: `Something went wrong on our side. Try again; if it stays so, name ${requestId} to an operator.`,
    requestId,
  });
}

function domainProblem(error: DomainError, requestId: string): Response {
  const { status, title } = STATUS[error.code];
  const headers: Record<string, string> = {};
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (status === 503 || status === 429) headers['retry-after'] = '2';
  return problemResponse({ title, status, code: error.code, detail: error.message, requestId }, headers);
}

function invalidInput({ where, zodError }: InvalidInput, requestId: string): Response {
  const errors = zodError.issues.slice(0, 20).map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.message,
  }));
  const words = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const { status, title } = STATUS.bad_request;
  const detail = `The ${where} is not as expected. ${words.join('; ')}`;
  return problemResponse({ title, status, code: 'bad_request', detail, errors, requestId });
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** The connection was lost or refused, or the server has no more room: trying again later is all one can do. */
function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isConnectionLoss(error) || errorCode(error)?.startsWith('53')) return true;
  return isPoolTimeout(error) || isPoolTimeout(error.cause);
}

function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && /^timeout exceeded when trying to connect/.test(error.message);
}
