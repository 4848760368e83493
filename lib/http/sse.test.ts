import { describe, expect, test } from 'vitest';
import { type SseWriter, sseResponse } from './sse';

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

describe('a server-sent stream', () => {
  test('is cleaned up once, whichever end goes first and however often', async () => {
    const controller = new AbortController();
    const { response, writer, stops } = open(controller.signal);
    controller.abort();
    controller.abort();
    await response.body?.cancel().catch(() => undefined);
    writer.send({ event: 'late', data: 1 });
    expect(stops()).toBe(1);
    expect(writer.closed).toBe(true);
  });

  test('can be ended by us, and cleans up once', async () => {
    const { response, writer, stops } = open();
    writer.send({ event: 'last', data: 1 });
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
    for (let n = 0; n < 10_000 && !writer.closed; n += 1)
      writer.send({ event: 'change', data: 'x'.repeat(1_000) });
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
