import { ApiError, apiErrorFrom } from './api-error';
import { noteReachable } from './reachability';
import { noteRefetchAfter } from './refetch-after';

export interface JsonRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** The caller's name for one intent: sent again, it gives the first answer. */
  readonly idempotencyKey?: string;
}

/** A way that swallows bytes gives no error: a reader that waited for ever would never ask again. Writers may take long. */
const READ_TIMEOUT_MS = 20_000;
const WRITE_TIMEOUT_MS = 120_000;

/**
 * Calls our own API from the browser with the session's cookie. The answer's type is the caller's word: both ends are
 * built from `lib/contract` together. Throws {@link ApiError}.
 */
export async function fetchJson<T>(path: string, request: JsonRequest = {}): Promise<T> {
  const headers = new Headers({ accept: 'application/json' });
  if (request.body !== undefined) headers.set('content-type', 'application/json');
  if (request.idempotencyKey) headers.set('idempotency-key', request.idempotencyKey);
  const method = request.method ?? 'GET';
  const timeout = AbortSignal.timeout(method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS);
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
      credentials: 'same-origin',
    });
    noteReachable(true);
    noteRefetchAfter(response.headers);
    body = await response.json().catch((error: unknown) => {
      if (timeout.aborted || request.signal?.aborted) throw error;
      return null;
    });
  } catch (error) {
    if (request.signal?.aborted) throw error;
    noteReachable(false);
    throw new ApiError(0, 'unreachable', 'The server could not be reached. It is tried again.', null, {
      cause: error,
    });
  }
  if (!response.ok) throw apiErrorFrom(response.status, body);
  return body as T;
}

type QueryValue = string | number | null | undefined;

/** `?a=1&a=2&b=x`; empty values are left out, so that equal filters give equal addresses. */
export function queryString(
  values: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one));
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
