import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type SseWriter, sseFrame, sseResponse } from './sse';
import { sseOverNode } from './sse-over-node';

function open(signal = new AbortController().signal) {
  let writer: SseWriter | undefined;
  let stops = 0;
  const response = sseResponse(signal, (given) => {
    writer = given;
    return () => {
      stops += 1;
    };
  });
  if (!writer) throw new Error('not started');
  return { response, writer, stops: () => stops };
}

const large = sseFrame({ event: 'change', data: 'x'.repeat(1_000) });

describe('a server-sent stream', () => {
  test('is cleaned up once, whichever end goes first and however often', async () => {
    const controller = new AbortController();
    const { response, writer, stops } = open(controller.signal);
    controller.abort();
    controller.abort();
    await response.body?.cancel().catch(() => undefined);
    writer.send(large);
    expect(stops()).toBe(1);
    expect(writer.closed).toBe(true);
  });

  test('can be ended by us, and cleans up once', async () => {
    const { response, writer, stops } = open();
    writer.send(sseFrame({ event: 'last', data: 1 }));
    writer.end();
    writer.end();
    expect(await response.text()).toBe('event: last\ndata: 1\n\n');
    expect(stops()).toBe(1);
  });

  test('of a reader who is gone before it starts ends at once', () => {
    expect(open(AbortSignal.abort()).stops()).toBe(1);
  });

  test('B34: is closed when its reader is too far behind, never thinned out', async () => {
    const { response, writer, stops } = open();
    for (let n = 0; n < 10_000 && !writer.closed; n += 1) writer.send(large);
    expect(writer.closed).toBe(true);
    expect(stops()).toBe(1);
    // What was sent before the end is whole.
    const text = await response.text();
    expect(
      text
        .split('\n\n')
        .filter((part) => part !== '')
        .every((part) => part.startsWith('event: change')),
    ).toBe(true);
  });
});

async function openOverNode() {
  let stops = 0;
  const opened = Promise.withResolvers<SseWriter>();
  const stopped = Promise.withResolvers<void>();
  const server = createServer((_, response) =>
    sseOverNode(response, { 'x-request-id': 'r' }, (writer) => {
      opened.resolve(writer);
      return () => {
        stops += 1;
        stopped.resolve();
      };
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { response, writer: await opened.promise, stopped: stopped.promise, stops: () => stops, close };
}

describe('a server-sent stream past the framework', () => {
  test('has the same headers, and its end is clean for the reader', async () => {
    const { response, writer, stops, close } = await openOverNode();
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': 'r',
    });
    writer.send(sseFrame({ event: 'last', data: 1, id: '7' }));
    writer.end();
    writer.end();
    expect(Buffer.concat(await response.toArray()).toString()).toBe('id: 7\nevent: last\ndata: 1\n\n');
    expect(stops()).toBe(1);
    close();
  });

  test('is cleaned up once when the reader goes away', async () => {
    const { response, writer, stopped, stops, close } = await openOverNode();
    response.destroy();
    await stopped;
    writer.send(large);
    writer.end();
    expect({ stops: stops(), closed: writer.closed }).toEqual({ stops: 1, closed: true });
    close();
  });

  test('B34: is closed when its reader does not read, however much the network holds', async () => {
    const { response, writer, stops, close } = await openOverNode();
    response.pause();
    for (let n = 0; n < 100_000 && !writer.closed; n += 1) {
      writer.send(large);
      if (n % 100 === 0) await new Promise(setImmediate);
    }
    expect({ stops: stops(), closed: writer.closed }).toEqual({ stops: 1, closed: true });
    response.on('error', () => {});
    close();
  });
});
