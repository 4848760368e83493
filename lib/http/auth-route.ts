import 'server-only';
import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { authOptions } from '@/lib/auth/options';
import { DomainError } from '@/lib/errors';
import { type RouteSegments, withPublicRoute } from './route';

/**
 * next-auth's own endpoints. What they would answer with 500 (a body they can't read, a return address that is none)
 * is turned away before. The browser's log endpoint is closed: strangers don't write our log.
 */
export async function answerAuth(request: NextRequest, segments: RouteSegments): Promise<Response> {
  const handler = withPublicRoute({}, async ({ runtime }) => {
    const { nextauth } = await segments.params;
    if (nextauth?.[0] === '_log') throw new DomainError('not_found', 'There is no such address.');
    // Picking a role is a form; next-auth has no answer but 500 for the same address without one.
    if (request.method === 'GET' && nextauth?.[0] === 'callback' && nextauth[1] === 'local') {
      throw new DomainError('bad_request', 'Send the sign-in form with POST.');
    }
    refuseUnreadable(request);
    const options = authOptions(runtime.auth, runtime.log, originOf(request, runtime.auth.url));
    const answer: unknown = await NextAuth(
      // The same type, but next-auth names its own copy of it.
      request as never,
      segments as never,
      options,
    );
    // Headers of a redirect can't be changed, and ours are added further out.
    const response = answer as Response;
    return new Response(response.body, { status: response.status, headers: response.headers });
  });
  return handler(request, segments);
}

function refuseUnreadable(request: NextRequest): void {
  const type = request.headers.get('content-type') ?? '';
  if (request.method === 'POST' && !/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new DomainError('unsupported_media_type', 'Send a form: application/x-www-form-urlencoded.');
  }
  const addresses = [
    ...request.nextUrl.searchParams.getAll('callbackUrl'),
    ...request.cookies
      .getAll()
      .filter(({ name }) => name.endsWith('next-auth.callback-url'))
      .map(({ value }) => value),
  ];
  if (!addresses.every(isAddress)) throw new DomainError('bad_request', 'callbackUrl: not an address.');
}

function isAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text, 'http://localhost').protocol);
  } catch {
    return false;
  }
}

/** By which of our names the browser came; the scheme is what we are published under. */
function originOf(request: NextRequest, url: string): string {
  const host = request.headers.get('host');
  return host ? `${new URL(url).protocol}//${host}` : url;
}
