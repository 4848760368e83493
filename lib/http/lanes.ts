import 'server-only';
import { subscribe } from 'node:diagnostics_channel';
import type { RequestListener, Server } from 'node:http';
import { passCallback } from './callback-lane';
import { passEvents } from './event-lane';

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
  server.on('request', (request, response) => {
    const { method, url = '' } = request;
    if (method === 'POST' && CALLBACKS.test(url)) void passCallback(request, response);
    else if (method === 'GET' && EVENTS.test(url)) void passEvents(request, response);
    // The framework's own requests can't carry this method and it would answer 500.
    else if (method === 'TRACE') response.writeHead(405, { connection: 'close' }).end();
    else for (const other of others) other.call(server, request, response);
  });
}
