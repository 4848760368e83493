import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type EventStream, openEventStream } from './event-stream';
import type { StreamMessage } from './stream-message';

interface Opened {
  readonly lastEventId: string | null;
  readonly signal: AbortSignal;
  say(text: string): void;
  end(): void;
}

let answer: () => number;
const opened: Opened[] = [];
const heard: StreamMessage[] = [];
let stream: EventStream;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  opened.length = heard.length = 0;
  answer = () => 200;
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        opened.push({
          lastEventId: new Headers(init.headers).get('last-event-id'),
          signal: init.signal as AbortSignal,
          say: (text) => controller.enqueue(new TextEncoder().encode(text)),
          end: () => controller.close(),
        });
      },
    });
    const status = answer();
    return new Response(status === 200 ? body : null, { status });
  });
  stream = openEventStream('/events', null, (message) => heard.push(message));
});
afterEach(() => {
  stream.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const heartbeat = 'id: 9\nevent: heartbeat\ndata: {"at":"2026-11-30T10:00:00.000Z"}\n\n';

describe('the event stream', () => {
  test('says what the server says, also when it comes in pieces', async () => {
    await pass(0);
    opened[0]?.say(heartbeat.slice(0, 20));
    opened[0]?.say(heartbeat.slice(20));
    await pass(0);
    expect(heard).toEqual([
      { kind: 'resync', at: null, id: null },
      { kind: 'sign', at: '2026-11-30T10:00:00.000Z', id: '9' },
    ]);
  });

  test('B34: cut silently, it is opened anew after 12 s, with the id of the last event', async () => {
    await pass(0);
    opened[0]?.say(heartbeat);
    await pass(11_900);
    expect(opened.length).toBe(1);
    await pass(1_200);
    expect(opened[0]?.signal.aborted).toBe(true);
    expect(opened.map(({ lastEventId }) => lastEventId)).toEqual([null, '9']);
    // With an id the server tells it to resync: it does not say so by itself once more.
    expect(heard.filter(({ kind }) => kind === 'resync').length).toBe(1);
  });

  test('ended by a proxy or a restart, it comes back within a second or two', async () => {
    await pass(0);
    opened[0]?.say(heartbeat);
    await pass(0);
    opened[0]?.end();
    await pass(1_100);
    expect(opened.length).toBe(2);
  });

  test('refused, it tries again with growing pauses, for ever', async () => {
    answer = () => 502;
    stream.reopenNow();
    await pass(60_000);
    const tries = opened.length;
    expect(tries).toBeGreaterThan(7);
    expect(tries).toBeLessThan(14);
    answer = () => 200;
    await pass(10_000);
    opened.at(-1)?.say(heartbeat);
    await pass(0);
    expect(heard.at(-1)).toMatchObject({ kind: 'sign' });
  });

  test('told that the way may be free again, it does not wait', async () => {
    await pass(0);
    stream.reopenNow();
    await pass(0);
    expect(opened.length).toBe(2);
    expect(opened[0]?.signal.aborted).toBe(true);
  });

  test('closed, it stays closed', async () => {
    await pass(0);
    stream.close();
    await pass(60_000);
    expect(opened.length).toBe(1);
  });
});
