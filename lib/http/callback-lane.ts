import 'server-only';
import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { DomainError } from '@/lib/errors';
import { answerCallback, MAX_CALLBACK_REQUEST_BYTES } from './answer-callback';
import { appRuntime } from './app-runtime';
import { internalProblem, problemFor } from './problem';

const CALLBACKS = /^\/api\/v1\/callbacks(\?|$)/;

/**
 * Lets callbacks pass by the framework in every HTTP server of this process: they come by the thousand, and its routing
 * and its copies of each request cost several times what a callback itself does (docs/decisions/0011). The answers are
 * those of the route, by the same code.
 */
export function openCallbackLane(): void {
  const known = new WeakSet<Server>();
  // Published before each request is handed out: the one way to a server that somebody else has made.
  subscribe('http.server.request.start', (message) => {
    const { server } = message as { server: Server };
    if (known.has(server)) return;
    known.add(server);
    putCallbackLane(server);
  });
}

/** Puts the lane before what listens to a server's requests now. */
export function putCallbackLane(server: Server): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (request.method === 'POST' && CALLBACKS.test(request.url ?? '')) void answer(request, response);
    // The framework's own requests can't carry this method and it would answer 500.
    else if (request.method === 'TRACE') response.writeHead(405, { connection: 'close' }).end();
    else for (const other of others) other.call(server, request, response);
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = randomUUID();
  try {
    const rawBody = await readBody(request);
    const header = (name: string) => request.headers[name]?.toString() ?? null;
    const headers = {
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
    };
    const answered = await answerCallback(await appRuntime(), { headers, rawBody, requestId });
    if ('answer' in answered) {
      write(response, requestId, 200, 'application/json', JSON.stringify(answered.answer));
    } else {
      const { problem } = answered;
      write(response, requestId, problem.status, 'application/problem+json', JSON.stringify(problem));
    }
  } catch (error) {
    await refuse(request, response, requestId, error);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const tooLarge = () =>
    new DomainError('payload_too_large', `The body is over ${MAX_CALLBACK_REQUEST_BYTES} bytes.`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size <= MAX_CALLBACK_REQUEST_BYTES) chunks.push(chunk);
    // Too much is read to its end, and not kept: an answer amid the upload would often be lost with the connection.
    else if (size > 4 * MAX_CALLBACK_REQUEST_BYTES) break;
  }
  if (size > MAX_CALLBACK_REQUEST_BYTES) throw tooLarge();
  return new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
}

async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  error: unknown,
): Promise<void> {
  // A sender who has gone reads no answer, and nothing is wrong on our side.
  if (request.destroyed && !request.complete) return;
  let problem = problemFor(error, requestId);
  if (!problem) {
    const logged = await appRuntime().catch(() => null);
    logged?.log.error({ err: error, requestId, method: 'POST', path: '/api/v1/callbacks' }, 'http.failed');
    problem = internalProblem(requestId);
  }
  // What is left of the body is not read, so the connection can't be used again.
  if (!request.complete) response.setHeader('connection', 'close');
  for (const [name, value] of problem.headers) response.setHeader(name, value);
  write(response, requestId, problem.status, 'application/problem+json', await problem.text());
}

function write(
  response: ServerResponse,
  requestId: string,
  status: number,
  contentType: string,
  body: string,
): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  });
  response.end(body);
}
