import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ChangeEvent, HeartbeatEvent } from '@/lib/contract/live';
import { NOT_LIVE_AFTER_MS } from './freshness';
import type { StreamMessage } from './stream-message';

/** An open stream, which comes back by itself however it ends, until it is closed. */
export interface EventStream {
  close(): void;
  /** Does not wait for the next try: for when something says that the way may be free again. */
  reopenNow(): void;
}

const FIRST_RETRY_MS = 1_000;
/** With its jitter 10 s at most. */
const LAST_RETRY_MS = 8_000;

/**
 * Listens to `GET /api/v1/events`. A stream that is open but silent is closed and opened anew (a proxy may swallow
 * bytes without an error), with growing, jittered pauses and the id of the last event. Not an `EventSource`: that has
 * no jitter, gives up after an HTTP error, and forgets the id when it is made anew.
 * @param lastEventId of whoever listened before
 */
export function openEventStream(
  url: string,
  lastEventId: string | null,
  onMessage: (message: StreamMessage) => void,
): EventStream {
  let connection: AbortController | null = null;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_RETRY_MS;
  let lastId = lastEventId;

  const watch = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(reopen, NOT_LIVE_AFTER_MS);
  };
  const close = () => {
    clearTimeout(watchdog);
    clearTimeout(retry);
    connection?.abort();
    connection = null;
  };
  const parser = () =>
    createParser({
      onEvent(event) {
        const message = read(event);
        if (!message) return;
        lastId = event.id ?? lastId;
        pause = FIRST_RETRY_MS;
        watch();
        onMessage(message);
      },
    });

  function reopen() {
    close();
    retry = setTimeout(open, pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, LAST_RETRY_MS);
  }
  function open() {
    const mine = new AbortController();
    connection = mine;
    watch();
    void listen(url, lastId, mine.signal, {
      // With an id the server says so itself; what happened since the page was made, it can't know.
      onOpen: (id) => id === null && onMessage({ kind: 'resync', at: null, id: null }),
      parser: parser(),
    })
      .catch(() => undefined)
      .then(() => {
        if (connection === mine) reopen();
      });
  }
  open();
  return {
    close,
    reopenNow() {
      close();
      pause = FIRST_RETRY_MS;
      open();
    },
  };
}

interface Listening {
  readonly onOpen: (sentId: string | null) => void;
  readonly parser: ReturnType<typeof createParser>;
}

/** Reads until the stream ends, or throws when it breaks. */
async function listen(url: string, id: string | null, signal: AbortSignal, to: Listening): Promise<void> {
  const headers = { accept: 'text/event-stream', ...(id !== null && { 'last-event-id': id }) };
  const response = await fetch(url, { headers, signal, cache: 'no-store', credentials: 'same-origin' });
  if (!response.ok || !response.body) throw new Error(`the event stream answered ${response.status}`);
  to.onOpen(id);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { value, done } = await reader.read();
    if (done || signal.aborted) return;
    to.parser.feed(decoder.decode(value, { stream: true }));
  }
}

function read({ event, data, id: given }: EventSourceMessage): StreamMessage | null {
  const id = given ?? null;
  switch (event) {
    case 'change':
      return { kind: 'change', change: JSON.parse(data) as ChangeEvent, id };
    case 'heartbeat':
      return { kind: 'sign', at: (JSON.parse(data) as HeartbeatEvent).at, id };
    case 'resync':
      return { kind: 'resync', at: (JSON.parse(data) as HeartbeatEvent).at, id };
    default:
      return null;
  }
}
