import 'server-only';

/** One event of a server-sent stream. */
interface SseEvent {
  readonly event: string;
  readonly data: unknown;
  readonly id?: string;
}

export interface SseWriter {
  /** Sends an event, or closes the stream when the reader is too far behind to be told the truth. */
  send(event: SseEvent): void;
  /** Ends the stream; its reader comes back by itself. */
  end(): void;
  readonly closed: boolean;
}

/** A reader with more than this unread is closed: it comes back, is told to resync, and misses nothing silently. */
const MAX_UNREAD_BYTES = 256 * 1024;

/**
 * A server-sent stream.
 * @param signal the request's: it fires when the reader goes away, which the stream's own `cancel` does not always do
 * @param start called once with the writer; what it returns is called exactly once at the end, however it comes
 */
export function sseResponse(signal: AbortSignal, start: (writer: SseWriter) => () => void): Response {
  const encoder = new TextEncoder();
  let stop: (() => void) | undefined;
  let closed = false;
  let end: () => void = () => undefined;

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        end = () => {
          if (closed) return;
          closed = true;
          signal.removeEventListener('abort', end);
          stop?.();
          try {
            controller.close();
          } catch {
            // Already torn down from the other side.
          }
        };
        const send = (event: SseEvent) => {
          if (closed) return;
          controller.enqueue(encoder.encode(format(event)));
          if ((controller.desiredSize ?? 0) <= 0) end();
        };
        signal.addEventListener('abort', end, { once: true });
        stop = start({
          send,
          end,
          get closed() {
            return closed;
          },
        });
        if (closed) stop();
        if (signal.aborted) end();
      },
      cancel: () => end(),
    },
    { highWaterMark: MAX_UNREAD_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );

  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // no-transform also keeps Next from compressing, which would hold events back.
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    },
  });
}

function format({ event, data, id }: SseEvent): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
