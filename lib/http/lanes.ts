import 'server-only';
import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import type { RequestListener, Server } from 'node:http';
import { DomainError } from '@/lib/errors';
import { passCallback } from './callback-lane';
import { passEvents } from './event-lane';
import { writeProblem } from './write-problem';

/** A large document over a slow line takes longer than the five minutes that Node gives a request. */
const LONGEST_REQUEST_MS = 3_600_000;
const API = /^\/api\//;
const CALLBACKS = /^\/api\/v1\/callbacks(\?|$)/;
const EVENTS = /^\/api\/v1\/events(\?|$)/;

/** Lets callbacks and event streams pass by the framework in every HTTP server of this process (docs/decisions/0011). */
export function openLanes(): void {
  const known = new WeakSet<Server>();
  // Published before each request is handed out: the one way to a server that somebody else has made.
  subscribe('http.server.request.start', (message) => {
    const { server } = message as { server: Server };
    if (known.has(server)) return;
    known.add(server);
    putLanes(server);
  });
}

/** Puts the lanes before what listens to a server's requests now. */
export function putLanes(server: Server): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.requestTimeout = LONGEST_REQUEST_MS;
  server.on('request', (request, response) => {
    const { method, url = '' } = request;
    if (method === 'POST' && CALLBACKS.test(url)) void passCallback(request, response);
    else if (method === 'GET' && EVENTS.test(url)) void passEvents(request, response);
    // The framework's own requests can't carry this method and it would answer 500.
    else if (method === 'TRACE') response.writeHead(405, { connection: 'close' }).end();
    // It would answer these in plain text.
    else if (API.test(url) && !isDecodable(url)) {
      const words =
        'The address is not valid: a % in it must be followed by two hexadecimal digits of UTF-8.';
      void writeProblem(request, response, randomUUID(), new DomainError('bad_request', words));
    } else for (const other of others) other.call(server, request, response);
  });
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}
