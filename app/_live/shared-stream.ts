import type { EventStream } from './event-stream';
import { NOT_LIVE_AFTER_MS } from './freshness';
import { type StreamMessage, sentAt } from './stream-message';

/** What tabs say to each other besides what the stream says. */
type TabMessage =
  | StreamMessage
  | { readonly kind: 'hello' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'here' };

/** The part of a `BroadcastChannel` that is used. */
export interface TabChannel {
  onmessage: ((event: MessageEvent<TabMessage>) => void) | null;
  postMessage(message: TabMessage): void;
  close(): void;
}

export interface SharedStreamOptions {
  /** Of the lock that the leading tab holds. */
  readonly name: string;
  readonly open: (lastEventId: string | null, onMessage: (message: StreamMessage) => void) => EventStream;
  readonly onMessage: (message: StreamMessage) => void;
  /** Undefined where the browser has none: then each tab has a stream of its own. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly channel: () => TabChannel;
  /** Milliseconds. */
  readonly now: () => number;
}

export interface SharedStream {
  /** The tab came into view: it takes part, and what it missed is fetched anew. */
  show(): void;
  /** The tab went out of view: a follower stops listening at once, the leader after a while. */
  hide(): void;
  /** The way to the server may be free again (after sleep, or back online): tries now. */
  revive(): void;
  /** To be called about once a second while in view: looks after a leader that has gone quiet. */
  tick(): void;
  stop(): void;
  readonly leads: boolean;
}

/** A leader out of view goes on for so long: people switch to and fro. */
const REST_MS = 20_000;
/** A leader that is there answers sooner than this. */
const ANSWER_MS = 3_000;

/**
 * One event stream for all tabs of a browser: HTTP/1.1 allows six connections per host, and the seventh tab would hang
 * (B33). The tab that holds a lock listens and tells the others; when it closes, goes out of view or hangs, another
 * takes over, with the id of the last event.
 */
export function shareStream(options: SharedStreamOptions): SharedStream {
  const { name, locks, now } = options;
  let channel: TabChannel | null = null;
  let stream: EventStream | null = null;
  let request: AbortController | null = null;
  let release: (() => void) | undefined;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let lastId: string | null = null;
  let lastSignAt: string | null = null;
  let heardAt = now();
  let askedAt: number | null = null;

  const hear = (message: StreamMessage) => {
    heardAt = now();
    askedAt = null;
    lastId = message.id ?? lastId;
    lastSignAt = sentAt(message) ?? lastSignAt;
    options.onMessage(message);
  };
  const lead = () => {
    stream = options.open(lastId, (message) => {
      hear(message);
      channel?.postMessage(message);
    });
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  };
  const follow = () => {
    stream?.close();
    stream = null;
    release?.();
    release = undefined;
  };
  const contend = (steal = false) => {
    const mine = new AbortController();
    request?.abort();
    request = mine;
    // A request that steals can't be aborted, and is granted at once.
    const how = steal ? { steal } : { signal: mine.signal };
    locks
      ?.request(name, how, () => (request === mine ? lead() : undefined))
      .catch(() => undefined)
      .then(() => {
        if (request !== mine) return;
        // Another tab took it by force, because this one did not answer: it queues again.
        follow();
        contend();
      });
  };
  const receive = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'hello') {
      if (!stream || lastSignAt === null || isSilent()) return;
      channel?.postMessage({ kind: 'sign', at: lastSignAt, id: lastId, agoMs: now() - heardAt });
    } else if (data.kind === 'ask') {
      if (!stream) return;
      channel?.postMessage({ kind: 'here' });
      if (isSilent()) stream.reopenNow();
    } else if (data.kind === 'here') {
      heardAt = now();
      askedAt = null;
    } else if (!stream) hear(data);
  };
  const isSilent = () => now() - heardAt >= NOT_LIVE_AFTER_MS;
  const leave = () => {
    const mine = request;
    request = null;
    mine?.abort();
    follow();
    channel?.close();
    channel = null;
  };

  return {
    show() {
      clearTimeout(rest);
      if (channel || (!locks && stream)) return;
      heardAt = now();
      askedAt = null;
      if (!locks) return void lead();
      channel = options.channel();
      channel.onmessage = receive;
      channel.postMessage({ kind: 'hello' });
      contend();
      // Nobody told this tab of anything while it was away.
      if (lastId !== null) options.onMessage({ kind: 'resync', at: null, id: null });
    },
    hide() {
      clearTimeout(rest);
      if (stream) rest = setTimeout(leave, REST_MS);
      else leave();
    },
    revive() {
      if (stream) stream.reopenNow();
      else channel?.postMessage({ kind: 'ask' });
    },
    tick() {
      if (stream || !channel || !isSilent()) return;
      if (askedAt === null) {
        askedAt = now();
        channel.postMessage({ kind: 'ask' });
      } else if (now() - askedAt >= ANSWER_MS) {
        askedAt = null;
        heardAt = now();
        contend(true);
      }
    },
    stop() {
      clearTimeout(rest);
      leave();
    },
    get leads() {
      return stream !== null;
    },
  };
}
