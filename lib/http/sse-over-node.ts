import 'server-only';
import type { ServerResponse } from 'node:http';
import { MAX_UNREAD_BYTES, SSE_HEADERS, type SseFrame, type SseWriter } from './sse';

/**
 * A server-sent stream straight on a response of Node's: no stream object in between, so that thousands of readers
 * cost what their sockets do.
 * @param start called once with the writer; what it returns is called exactly once at the end, however it comes
 */
export function sseOverNode(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  start: (writer: SseWriter) => () => void,
): void {
  response.writeHead(200, { ...SSE_HEADERS, ...headers });
  // So that the reader knows that it is heard before the first event.
  response.flushHeaders();
  let stop: (() => void) | undefined;
  let closed = false;
  const finish = () => {
    if (closed) return;
    closed = true;
    stop?.();
  };
  const writer: SseWriter = {
    send(frame: SseFrame) {
      if (closed) return;
      response.write(frame);
      // What is unread would be thrown away with a polite end only after it was sent: too slow is over at once.
      if (response.writableLength > MAX_UNREAD_BYTES) {
        finish();
        response.destroy();
      }
    },
    end() {
      finish();
      response.end();
    },
    get closed() {
      return closed;
    },
  };
  response.on('close', finish);
  response.on('error', finish);
  stop = start(writer);
  if (closed) stop();
  if (response.destroyed) finish();
}
