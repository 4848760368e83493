import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as a test's server got it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What the server answers; `cut` drops the connection after the part of the body that is given. */
export interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | object;
  readonly cut?: boolean;
}

export interface TestServer {
  readonly origin: string;
  /** All requests so far, oldest first. */
  readonly received: Received[];
  close(): Promise<void>;
}

/** Answers nothing for this request until its connection is dropped. */
export const NEVER = Symbol('never');

/**
 * A real HTTP server on this machine that a test scripts.
 * @param tls key and certificate in PEM: the server then speaks https
 */
export async function startTestServer(
  answer: (request: Received) => Given | typeof NEVER | Promise<Given | typeof NEVER>,
  tls?: { readonly key: string; readonly cert: string },
): Promise<TestServer> {
  const received: Received[] = [];
  const listener: http.RequestListener = async (request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    const url = new URL(request.url ?? '/', 'http://test');
    const got: Received = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await buffer(request).catch(() => Buffer.alloc(0)),
    };
    received.push(got);
    const given = await answer(got);
    if (given === NEVER) return;
    give(response, request.method ?? '', given);
  };
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function give(
  response: http.ServerResponse,
  method: string,
  { status = 200, headers = {}, body = '', cut }: Given,
) {
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const bytes = Buffer.from(isJson ? JSON.stringify(body) : (body as string | Buffer));
  const length = cut ? bytes.length + 10 : bytes.length;
  response.writeHead(status, {
    ...(isJson && { 'content-type': 'application/json' }),
    ...(method !== 'HEAD' && { 'content-length': String(length) }),
    ...headers,
  });
  if (cut) response.write(bytes, () => response.destroy());
  else response.end(bytes);
}
