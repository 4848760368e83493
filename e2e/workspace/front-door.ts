import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { Order, type Seen } from './control';
import { type Faults, misbehave } from './faults';
import { Refusal } from './refusal';
import type { Env } from './requests';

/** What tests do to the workspace from outside, and what they see of it. */
export interface Control {
  obey(order: Order): void;
  seen(): Seen;
}

/** What a call meets first: the check of its host, then faults; and what an error of a route becomes. */
export function frontDoor(
  routes: Hono<Env>,
  faults: Faults,
  address: { readonly host: string },
  control: Control,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  routes.notFound((c) =>
    new Refusal(404, 'ENDPOINT_NOT_FOUND', `No API found for '${c.req.method} ${c.req.path}'`).response(),
  );
  routes.onError((error) =>
    error instanceof Refusal
      ? error.response()
      : new Refusal(500, 'INTERNAL_ERROR', String(error.stack ?? error)).response(),
  );
  return getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      const { pathname } = new URL(request.url);
      // One address serves many workspaces: which one is meant is told by the host alone.
      if (`http://${incoming.headers.host}` !== address.host) {
        const headers = { 'content-type': 'text/html' };
        return new Response('<html><title>Not found</title></html>', { status: 404, headers });
      }
      if (pathname === '/__workspace') {
        if (request.method === 'POST') control.obey(Order.parse(await request.json()));
        return Response.json(control.seen());
      }
      const handle = async () => routes.fetch(request, env);
      const fault = faults.next(request.method, pathname);
      return fault ? misbehave(fault, outgoing as ServerResponse, handle) : handle();
    },
    { overrideGlobalObjects: false },
  );
}
