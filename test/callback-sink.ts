import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Callback } from '@/lib/contract/callback';
import { verifyDelivery } from '@/lib/contract/signature';

export interface ReceivedCallback {
  readonly webhookId: string;
  readonly callback: Callback;
  readonly signature: ReturnType<typeof verifyDelivery>;
}

/** A receiver of callbacks that answers as told, for tests of what a run sends. */
export interface CallbackSink {
  readonly url: string;
  readonly received: ReceivedCallback[];
  /** What the next requests are answered with. */
  answer: { status: number; body: unknown };
  close(): Promise<void>;
}

export async function startCallbackSink(key: string): Promise<CallbackSink> {
  const received: ReceivedCallback[] = [];
  const server: Server = createServer(async (request, response) => {
    const body = await text(request);
    const header = (name: string) => String(request.headers[name] ?? '');
    const webhook = {
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
    };
    received.push({
      webhookId: webhook.id,
      callback: JSON.parse(body),
      signature: verifyDelivery(key, webhook, body, true),
    });
    response.writeHead(sink.answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(sink.answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sink: CallbackSink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/callbacks`,
    received,
    answer: { status: 200, body: { outcome: 'applied', stop: false } },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return sink;
}
