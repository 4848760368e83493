import { type NextRequest, NextResponse } from 'next/server';
import { config as readConfig } from '@/lib/config/config';
import { isAllowedHost } from '@/lib/http/allowed-host';
import { contentSecurityPolicy } from '@/lib/http/security-headers';

/** Pages that a stranger may see. */
const PUBLIC_PAGES = /^\/signin(\/|$)/;
const SESSION_COOKIE = /^(__Secure-)?next-auth\.session-token(\.\d+)?$/;

/**
 * Before every page: host, sign-in and a policy with a nonce of its own. Whether a session is valid is checked where
 * the page is made (`requireUser`); here only a visitor without any is sent to sign in. Of the API only addresses with
 * a % are matched, which no upload has: Next keeps a copy of each body that passes through here.
 */
export function proxy(request: NextRequest): NextResponse {
  const { url, platform } = readConfig();
  // There the platform's proxy decides by which names we can be reached, and who may come.
  const isBehindProxy = platform === 'databricks';
  if (!isBehindProxy && !isAllowedHost(request.headers.get('host'), url)) {
    return new NextResponse(`This address is not one of ours. Use ${url}.\n`, { status: 400 });
  }
  if (!isReadable(request.nextUrl.pathname)) {
    return new NextResponse('This address cannot be read: a % in it stands for no character.\n', {
      status: 400,
    });
  }
  if (request.nextUrl.pathname.startsWith('/api/')) return NextResponse.next();
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = contentSecurityPolicy(nonce);
  const response =
    !isBehindProxy && isStranger(request) ? signIn(request) : withNonce(request, nonce, policy);
  response.headers.set('content-security-policy', policy);
  return response;
}

/** Next answers an address that it can't decode with 500. */
function isReadable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

function isStranger(request: NextRequest): boolean {
  if (PUBLIC_PAGES.test(request.nextUrl.pathname)) return false;
  return !request.cookies.getAll().some(({ name }) => SESSION_COOKIE.test(name));
}

function signIn(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  const target = request.nextUrl.clone();
  target.pathname = '/signin';
  target.search = pathname === '/' ? '' : `?callbackUrl=${encodeURIComponent(pathname + search)}`;
  return NextResponse.redirect(target);
}

/** Next reads the nonce from the policy among the request's headers and puts it on its own scripts. */
function withNonce(request: NextRequest, nonce: string, policy: string): NextResponse {
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  // Where to come back to when the session turns out to be over.
  headers.set('x-pathname', request.nextUrl.pathname + request.nextUrl.search);
  headers.set('content-security-policy', policy);
  return NextResponse.next({ request: { headers } });
}

export const config = {
  matcher: [
    '/((?!api/|_next/static|_next/image|healthz|readyz|metrics$|pdfjs/|favicon\\.ico|icon\\.svg).*)',
    '/api/(.*%.*)',
  ],
};
