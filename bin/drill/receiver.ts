import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { receiveCallback } from '@/lib/callbacks/receive';
import type { Db } from '@/lib/db/client';
import { listen } from '@/lib/db/listen';
import { sseResponse } from '@/lib/http/sse';
import { createLiveHub, type LiveHub } from '@/lib/live/hub';
import { createLogger } from '@/lib/log';
import { createCallbackGroups } from '@/lib/queue/callback-groups';
import { priceUsages } from '@/lib/usage/price';

/** One callback on its way in. */
export interface Incoming {
  readonly headers: { readonly id: string; readonly timestamp: string; readonly signature: string };
  readonly body: string;
}

/** What the sender is told; null: the connection breaks. */
export type Answer = { readonly status: number; readonly body: unknown } | null;

/** Receives callbacks and serves the event stream as the app's routes do, with a place to interfere. */
export interface Receiver {
  readonly url: string;
  readonly live: LiveHub;
  /** Stands between the network and the app; the default hands on. */
  meet: (incoming: Incoming, handOn: (incoming: Incoming) => Promise<Answer>) => Promise<Answer>;
  /** As if the delivery had come over the network, past `meet`. */
  deliver(incoming: Incoming): Promise<Answer>;
  close(): Promise<void>;
}

export async function openReceiver(
  db: Db,
  listenUrl: () => string,
  webhookSecret: string,
): Promise<Receiver> {
  const groups = createCallbackGroups({ db, hooks: { priceUsages } });
  const live = createLiveHub({
    db,
    log: createLogger('drill', 'silent'),
    listen: (hooks) => listen({ database: listenUrl(), applicationName: 'tickmark app listen', ...hooks }),
  });
  const deliver = async ({ headers, body }: Incoming): Promise<Answer> => {
    const outcome = await receiveCallback(
      { db, webhookSecret, groups },
      { headers, rawBody: body, checkAge: true },
    );
    return { status: outcome.status, body: 'answer' in outcome ? outcome.answer : outcome.problem };
  };

  const respond = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/v1/events') {
      const returning = request.headers.has('last-event-id');
      return sseResponse(request.signal, (writer) => live.subscribe({ scope: null, writer, returning }));
    }
    const header = (name: string) => request.headers.get(name) ?? '';
    const headers = {
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
    };
    const answer = await receiver
      .meet({ headers, body: await request.text() }, deliver)
      .catch(() => ({ status: 503, body: {} }));
    // A broken connection and a gateway's error are the same to a sender: it comes again.
    return answer
      ? Response.json(answer.body, { status: answer.status })
      : new Response(null, { status: 502 });
  };
  const server = createAdaptorServer({ fetch: respond }) as Server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    live,
    meet: (incoming, handOn) => handOn(incoming),
    deliver,
    async close() {
      await live.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
