import 'server-only';

/** One event of a server-sent stream. */
interface SseEvent {
  readonly event: string;
  readonly data: unknown;
  readonly id?: string;
}

/** An event as it goes over the wire: made once and sent to any number of readers. */
export type SseFrame = Uint8Array;

export interface SseWriter {
  /** Sends an event, or closes the stream when the reader is too far behind to be told the truth. */
  send(frame: SseFrame): void;
  /** Ends the stream; its reader comes back by itself. */
  end(): void;
  readonly closed: boolean;
}

/** A reader with more than this unread is closed: it comes back, is told to resync, and misses nothing silently. */
export const MAX_UNREAD_BYTES = 256 * 1024;

export const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // no-transform also keeps Next from compressing, which would hold events back.
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
} as const;

const encoder = new TextEncoder();

/** An event as it goes over the wire. */
export function sseFrame({ event, data, id }: SseEvent): SseFrame {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return encoder.encode(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/**
 * A server-sent stream as the framework's routes answer it.
 * @param signal the request's: it fires when the reader goes away, which the stream's own `cancel` does not always do
 * @param start called once with the writer; what it returns is called exactly once at the end, however it comes
 */
export function sseResponse(signal: AbortSignal, start: (writer: SseWriter) => () => void): Response {
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
        const send = (frame: SseFrame) => {
          if (closed) return;
          controller.enqueue(frame);
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
  return new Response(stream, { headers: SSE_HEADERS });
}
