import type { ChangeEvent } from '@/lib/contract/live';
import { NOT_LIVE_AFTER_MS } from './freshness';

interface Listeners {
  readonly onChange: (change: ChangeEvent) => void;
  readonly onResync: () => void;
  /** Any event at all: a sign of life. */
  readonly onSign: () => void;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 8_000;

/**
 * Listens to `GET /api/v1/events` until the returned function is called. A stream that is open but silent is closed
 * and opened anew (a proxy may swallow bytes without an error), with growing, jittered pauses.
 */
export function listenToEvents(url: string, listeners: Listeners): () => void {
  let source: EventSource | null = null;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_RETRY_MS;
  let everOpened = false;

  const sign = () => {
    pause = FIRST_RETRY_MS;
    clearTimeout(watchdog);
    watchdog = setTimeout(reopen, NOT_LIVE_AFTER_MS);
    listeners.onSign();
  };
  const close = () => {
    clearTimeout(watchdog);
    clearTimeout(retry);
    source?.close();
    source = null;
  };
  function reopen() {
    close();
    retry = setTimeout(open, pause * (0.5 + Math.random()));
    pause = Math.min(pause * 2, LAST_RETRY_MS);
  }
  function open() {
    source = new EventSource(url);
    watchdog = setTimeout(reopen, NOT_LIVE_AFTER_MS);
    source.addEventListener('open', () => {
      // What happened between two streams is unknown, unless the server's own `resync` says the same.
      if (everOpened) listeners.onResync();
      everOpened = true;
    });
    source.addEventListener('heartbeat', sign);
    source.addEventListener('resync', () => {
      sign();
      listeners.onResync();
    });
    source.addEventListener('change', (event: MessageEvent<string>) => {
      sign();
      listeners.onChange(JSON.parse(event.data) as ChangeEvent);
    });
    // The browser's own reconnection has no jitter and gives up after an HTTP error: ours does neither.
    source.addEventListener('error', reopen);
  }
  open();
  return close;
}
