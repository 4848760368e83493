import 'server-only';
import type { ClientScope } from '@/lib/auth/roles';
import type { StatusCounts } from '@/lib/contract/api';
import { type ChangeEvent, HEARTBEAT_SECONDS, type HeartbeatEvent } from '@/lib/contract/live';
import type { Db } from '@/lib/db/client';
import type { Listener, ListenOptions } from '@/lib/db/listen';
import { type SseWriter, sseFrame } from '@/lib/http/sse';
import type { Logger } from '@/lib/log';
import { ChangeReader, type Changes } from './changes';
import { countTasks } from './count-tasks';
import { createViewerClasses, type ViewerClass } from './viewer-classes';

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

/**
 * Fans changes of tasks out to any number of streams: one connection listens, each change is read once, and written
 * once for all who may see the same.
 */
export function createLiveHub(deps: LiveDeps): LiveHub {
  const viewers = createViewerClasses();
  const reader = new ChangeReader(deps.db);
  let listener: Listener | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reading = false;
  let pinged = false;
  let lastRead = Number.NEGATIVE_INFINITY;
  let lastEvents = Number.NEGATIVE_INFINITY;
  let lastCounts: StatusCounts | undefined;
  let wasLive = false;

  const now = (): HeartbeatEvent => ({ at: new Date().toISOString() });
  const frame = (event: string, data: unknown) => sseFrame({ event, data, id: String(reader.position) });
  const state = () => (lastCounts ? (listener?.state() ?? 'down') : 'down');
  // Silence while the listener is down: then nobody is live, and the page must not say so.
  const beat = () => {
    if (state() === 'live' && viewers.size > 0) viewers.sendAll(frame('heartbeat', now()));
  };

  const schedule = (atLeastMs = 0) => {
    // Nobody looks on: what has changed meanwhile is read when somebody comes.
    if (reading || timer || viewers.size === 0) return;
    const wait = Math.max(atLeastMs, lastRead + MIN_INTERVAL_MS - performance.now());
    if (wait > 0) timer = setTimeout(() => void tick(), wait);
    else void tick();
  };

  const tick = async () => {
    timer = undefined;
    reading = true;
    pinged = false;
    lastRead = performance.now();
    try {
      await announce(await reader.read());
    } catch (error) {
      deps.log.warn({ err: error }, 'live.read_failed');
      // Read again, or the change would stay untold until the next one; a reconnect pings by itself.
      if (listener?.state() === 'live') pinged = true;
    } finally {
      reading = false;
      const again = reader.looksAgainIn;
      if (pinged) schedule();
      else if (again !== null) schedule(again);
    }
  };

  const announce = async (changes: Changes) => {
    const known = lastCounts;
    lastCounts = changes.counts;
    if (changes.newEvents > 0) lastEvents = performance.now();
    // The first read only finds the position. From here on nothing is missed, so from here on readers are live.
    if (!known) return beat();
    if (changes.newEvents === 0) {
      const soon = performance.now() - lastEvents < SAME_CHANGE_MS;
      if (!changes.counted || (soon && sameCounts(known, changes.counts))) return;
    }
    for (const viewer of viewers.all()) await tell(viewer, changes);
  };

  const tell = async (viewer: ViewerClass, changes: Changes) => {
    const { scope } = viewer;
    const counts =
      scope === null ? changes.counts : (await countTasks(deps.db, scope, async () => null)).counts;
    const event: ChangeEvent = {
      at: changes.at,
      counts,
      tasks: changes.tasks.filter(({ client }) => isWithin(scope, client)).map(({ task }) => task),
      // By hand: no event says which tasks.
      truncated: changes.truncated || changes.newEvents === 0,
    };
    viewer.send(frame('change', event));
  };

  const onState = (next: 'live' | 'down', cause?: unknown) => {
    if (next === 'down') {
      deps.log.warn({ err: cause }, 'live.listener_down');
      return;
    }
    if (wasLive) viewers.sendAll(frame('resync', now()));
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
    subscribe({ scope, writer, returning }) {
      start();
      const leave = viewers.add(scope, writer);
      if (returning) writer.send(frame('resync', now()));
      else if (state() === 'live') writer.send(frame('heartbeat', now()));
      if (pinged) schedule();
      return leave;
    },
    get subscribers() {
      return viewers.size;
    },
    get state() {
      return state();
    },
    async close() {
      clearInterval(heartbeat);
      clearTimeout(timer);
      viewers.endAll();
      await listener?.close();
    },
  };
}

function isWithin(scope: ClientScope, client: string | null): boolean {
  return scope === null || (client !== null && scope.includes(client));
}

function sameCounts(a: StatusCounts, b: StatusCounts): boolean {
  return (Object.keys(a) as (keyof StatusCounts)[]).every((status) => a[status] === b[status]);
}
