import 'server-only';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { authenticate } from '@/lib/auth/authenticate';
import { demand, type Permission } from '@/lib/auth/roles';
import type { SessionUser } from '@/lib/contract/roles';
import { DomainError } from '@/lib/errors';
import { isAllowedHost } from './allowed-host';
import { type AppRuntime, appRuntime } from './app-runtime';
import { isSameSite } from './cross-site';
import { InvalidInput, loggedProblem, problemFor } from './problem';
import { readJson } from './read-body';

/** What Next hands to a route handler beside the request. */
export interface RouteSegments {
  readonly params: Promise<Record<string, string | string[] | undefined>>;
}
export type RouteHandler = (request: Request, segments: RouteSegments) => Promise<Response>;

interface Schemas<P, Q, B> {
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  /** A JSON body; routes that stream read `request.body` themselves. */
  readonly body?: z.ZodType<B>;
}

interface RouteInput<P, Q, B> {
  readonly request: Request;
  readonly runtime: AppRuntime;
  readonly requestId: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/**
 * The way every protected route is made: host, caller, role, origin, input, then one verb, and errors mapped once.
 * `auth` is what the caller's role must allow.
 */
export function withRoute<P = undefined, Q = undefined, B = undefined>(
  spec: Schemas<P, Q, B> & { readonly auth: Permission },
  handler: (input: RouteInput<P, Q, B> & { readonly user: SessionUser }) => Promise<Response>,
): RouteHandler {
  return answering(async (request, segments, requestId) => {
    const { runtime, user } = await admit(request, spec.auth);
    const input = await parseInput(spec, request, segments);
    return handler({ request, runtime, requestId, user, ...input });
  });
}

/**
 * Decides whether a request may do something: host, caller, origin, role. Throws `bad_request`, `unauthenticated` or
 * `forbidden`.
 */
export async function admit(
  request: Request,
  permission: Permission,
): Promise<{ readonly runtime: AppRuntime; readonly user: SessionUser }> {
  const runtime = await appRuntime();
  checkHost(request, runtime);
  const caller = await authenticate(request.headers, runtime.auth);
  if (!caller) throw new DomainError('unauthenticated', 'Sign in, or send a bearer token.');
  if (caller.by !== 'bearer' && changesSomething(request) && !isSameSite(request.headers, runtime.auth.url)) {
    throw new DomainError('forbidden', 'The request came from another site.');
  }
  demand(caller.user, permission);
  return { runtime, user: caller.user };
}

/** For the few routes that strangers may call; each is named in the test that walks all routes. */
export function withPublicRoute<P = undefined, Q = undefined, B = undefined>(
  spec: Schemas<P, Q, B> & {
    /** Probes call by address, not by name. */
    readonly anyHost?: boolean;
  },
  handler: (input: RouteInput<P, Q, B>) => Promise<Response>,
): RouteHandler {
  return answering(async (request, segments, requestId) => {
    const runtime = await appRuntime();
    if (!spec.anyHost) checkHost(request, runtime);
    const input = await parseInput(spec, request, segments);
    return handler({ request, runtime, requestId, ...input });
  });
}

function answering(
  run: (request: Request, segments: RouteSegments, requestId: string) => Promise<Response>,
): RouteHandler {
  return async (request, segments) => {
    const requestId = randomUUID();
    try {
      const response = await run(request, segments, requestId);
      response.headers.set('x-request-id', requestId);
      return request.method === 'HEAD' ? await withoutBody(response) : response;
    } catch (error) {
      return problemFor(error, requestId) ?? (await unexpected(error, request, requestId));
    }
  };
}

/** Next answers HEAD with the GET handler and leaves the body unread: an open file or stream would stay behind. */
async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

async function unexpected(error: unknown, request: Request, requestId: string): Promise<Response> {
  // A caller who has gone tore the streams down; nobody reads the answer and nothing is wrong on our side.
  if (!request.signal.aborted) {
    const { log } = await appRuntime();
    log.error(
      { err: error, requestId, method: request.method, path: new URL(request.url).pathname },
      'http.failed',
    );
  }
  return loggedProblem(error, requestId);
}

function checkHost(request: Request, { config }: AppRuntime): void {
  // There the proxy decides by which names we can be reached, and may send us another one.
  if (config.platform === 'databricks') return;
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (!isAllowedHost(host, config.url)) {
    throw new DomainError('bad_request', `This address is not one of ours. Use ${config.url}.`);
  }
}

function changesSomething(request: Request): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD';
}

async function parseInput<P, Q, B>(
  spec: Schemas<P, Q, B>,
  request: Request,
  segments: RouteSegments,
): Promise<{ params: P; query: Q; body: B }> {
  const params = spec.params ? parse('path', spec.params, await segments.params) : undefined;
  const query = spec.query ? parse('query', spec.query, queryOf(request.url)) : undefined;
  const body = spec.body ? parse('body', spec.body, await readJson(request)) : undefined;
  return { params: params as P, query: query as Q, body: body as B };
}

function parse<T>(where: InvalidInput['where'], schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new InvalidInput(where, parsed.error);
  return parsed.data;
}

/** A name that comes once is a string, one that is repeated a list. */
function queryOf(url: string): Record<string, string | string[]> {
  const search = new URL(url).searchParams;
  const names = [...new Set(search.keys())].filter((name) => name !== '__proto__');
  return Object.fromEntries(
    names.map((name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
