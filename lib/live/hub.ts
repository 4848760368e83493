import 'server-only';
import type { ClientScope } from '@/lib/auth/roles';
import type { StatusCounts } from '@/lib/contract/api';
import { type ChangeEvent, HEARTBEAT_SECONDS, type HeartbeatEvent } from '@/lib/contract/live';
import type { Db } from '@/lib/db/client';
import type { Listener, ListenOptions } from '@/lib/db/listen';
import type { SseWriter } from '@/lib/http/sse';
import type { Logger } from '@/lib/log';
import { ChangeReader, type Changes } from './changes';

/** At most four reads a second, however many transitions there are; the first after a quiet moment goes out at once. */
const MIN_INTERVAL_MS = 250;
/** A ping without a new event this soon after one with events is taken for the same change, unless counts differ. */
const SAME_CHANGE_MS = 1_000;

export interface LiveDeps {
  readonly db: Db;
  /** Opens the one listening connection; called with the first subscriber. */
  readonly listen: (options: Pick<ListenOptions, 'onPing' | 'onState'>) => Listener;
  readonly log: Logger;
}

interface Subscriber {
  readonly scope: ClientScope;
  readonly writer: SseWriter;
  /** It was here before and may have missed something: it is told to refetch all. */
  readonly returning: boolean;
}

export interface LiveHub {
  /** Adds a stream; the answer takes it away again. */
  subscribe(subscriber: Subscriber): () => void;
  readonly subscribers: number;
  readonly state: 'live' | 'down';
  /** Ends all streams and the listening: an open stream would keep a server from stopping. */
  close(): Promise<void>;
}

/** Fans changes of tasks out to any number of streams, from one connection and one read per change. */
export function createLiveHub(deps: LiveDeps): LiveHub {
  const subscribers = new Set<Subscriber>();
  const reader = new ChangeReader(deps.db);
  let listener: Listener | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reading = false;
  let pinged = false;
  let lastRead = 0;
  let lastEvents = 0;
  let lastCounts: StatusCounts | undefined;
  let wasLive = false;

  const now = (): HeartbeatEvent => ({ at: new Date().toISOString() });
  const send = (to: Subscriber, event: string, data: unknown) =>
    to.writer.send({ event, data, id: String(reader.position) });
  const state = () => (lastCounts ? (listener?.state() ?? 'down') : 'down');
  // Silence while the listener is down: then nobody is live, and the page must not say so.
  const beat = () => {
    if (state() === 'live') for (const to of subscribers) send(to, 'heartbeat', now());
  };

  const schedule = () => {
    if (reading || timer) return;
    const wait = Math.max(0, lastRead + MIN_INTERVAL_MS - performance.now());
    timer = setTimeout(() => void tick(), wait);
  };

  const tick = async () => {
    timer = undefined;
    reading = true;
    pinged = false;
    lastRead = performance.now();
    try {
      announce(await reader.read());
    } catch (error) {
      deps.log.warn({ err: error }, 'live.read_failed');
      // Read again, or the change would stay untold until the next one; a reconnect pings by itself.
      if (listener?.state() === 'live') pinged = true;
    } finally {
      reading = false;
      if (pinged) schedule();
    }
  };

  const announce = (changes: Changes) => {
    const known = lastCounts;
    lastCounts = changes.counts;
    if (changes.newEvents > 0) lastEvents = performance.now();
    else if (known && sameCounts(known, changes.counts) && performance.now() - lastEvents < SAME_CHANGE_MS)
      return;
    // The first read only finds the position. From here on nothing is missed, so from here on readers are live.
    if (!known) {
      beat();
      return;
    }
    const byHand = changes.newEvents === 0;
    for (const to of subscribers) send(to, 'change', changeFor(to.scope, changes, byHand));
  };

  const onState = (next: 'live' | 'down', cause?: unknown) => {
    if (next === 'down') {
      deps.log.warn({ err: cause }, 'live.listener_down');
      return;
    }
    if (wasLive) for (const to of subscribers) send(to, 'resync', now());
    wasLive = true;
  };

  const start = () => {
    listener ??= deps.listen({
      onPing: () => {
        pinged = true;
        schedule();
      },
      onState,
    });
    heartbeat ??= setInterval(beat, HEARTBEAT_SECONDS * 1000).unref();
  };

  return {
    subscribe(subscriber) {
      start();
      subscribers.add(subscriber);
      if (subscriber.returning) send(subscriber, 'resync', now());
      else if (state() === 'live') send(subscriber, 'heartbeat', now());
      return () => void subscribers.delete(subscriber);
    },
    get subscribers() {
      return subscribers.size;
    },
    get state() {
      return state();
    },
    async close() {
      clearInterval(heartbeat);
      clearTimeout(timer);
      for (const { writer } of subscribers) writer.end();
      await listener?.close();
    },
  };
}

function changeFor(scope: ClientScope, changes: Changes, byHand: boolean): ChangeEvent {
  const visible = changes.tasks.filter(
    ({ client }) => scope === null || (client !== null && scope.includes(client)),
  );
  return {
    at: changes.at,
    counts: changes.counts,
    tasks: visible.map(({ task }) => task),
    truncated: changes.truncated || byHand,
  };
}

function sameCounts(a: StatusCounts, b: StatusCounts): boolean {
  return (Object.keys(a) as (keyof StatusCounts)[]).every((status) => a[status] === b[status]);
}
