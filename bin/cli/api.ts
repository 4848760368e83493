import type { z } from 'zod';
import { Problem } from '@/lib/contract/api-problem';
import { CliError } from './cli-error';

/** The HTTP API of one running Tickmark. */
export interface Api {
  readonly url: string;
  /** A bearer token for the next request; tokens may be short-lived. */
  readonly token: () => Promise<string | undefined>;
}

/** A refusal by the API, with its words. */
export class ApiRefusal extends CliError {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
  ) {
    super(detail, status === 400 || status === 404 || status === 422 ? 2 : 1);
    this.name = 'CliError';
  }
}

/** Calls the API and checks the shape of its answer. Throws {@link ApiRefusal}, or what `fetch` throws. */
export async function callApi<T extends z.ZodType>(
  api: Api,
  route: string,
  answer: T,
  init: RequestInit = {},
): Promise<z.output<T>> {
  const headers = new Headers(init.headers);
  const token = await api.token();
  if (token) headers.set('authorization', `Bearer ${token}`);
  headers.set('accept', 'application/json');
  const response = await fetch(`${api.url}${route}`, { ...init, headers, redirect: 'error' });
  const text = await response.text();
  if (!response.ok) throw refusal(response.status, text);
  return answer.parse(JSON.parse(text));
}

function refusal(status: number, text: string): ApiRefusal {
  const problem = Problem.safeParse(parseJson(text));
  if (status === 401) {
    return new ApiRefusal(
      status,
      'unauthenticated',
      'Tickmark does not know who asks: set TICKMARK_TOKEN (or TICKMARK_ADMIN_TOKEN), or run this on the data folder of the instance',
    );
  }
  if (!problem.success)
    return new ApiRefusal(status, 'internal', `Tickmark answered ${status}: ${text.slice(0, 300)}`);
  const { code, detail, errors = [] } = problem.data;
  const where = errors.map((error) => `${error.path}: ${error.message}`).join('; ');
  return new ApiRefusal(status, code, [detail, where].filter(Boolean).join(' '));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
