import pg from 'pg';
import { addressOf, type DatabaseAddress } from './client';
import { connectionSettings } from './connection-settings';
import { isRefusal } from './patient-pool';

/** The channel on which Postgres says that some task changed its status; the payload is empty. */
const TASK_CHANGES = 'task_changes';

export interface ListenOptions {
  readonly database: string | DatabaseAddress;
  readonly applicationName: string;
  /** Something may have changed: after each notification, and after each (re)connect, as some may have been missed. */
  readonly onPing: () => void;
  /** `live` while notifications surely arrive, else `down` with the cause; told on each change. */
  readonly onState?: (state: 'live' | 'down', cause?: unknown) => void;
  /** Done in each new session once it listens and before it counts as live; an error ends the session. */
  readonly onConnect?: (session: pg.Client) => Promise<void>;
  readonly channel?: string;
  readonly probeIntervalMs?: number;
}

export interface Listener {
  readonly state: () => 'live' | 'down';
  close(): Promise<void>;
}

const PROBE_INTERVAL_MS = 10_000;
const MAX_RECONNECT_MS = 15_000;

/**
 * One dedicated connection that listens, for as long as the process lives. A half-open connection gives no error, so
 * the session is asked every 10 s which channels it listens to; no answer within half of that means that it is dead.
 * It reconnects with jitter, and listens before it pings: what changed meanwhile is seen by whoever reads then.
 */
export function listen(options: ListenOptions): Listener {
  const { url, password, onRefused } = addressOf(options.database);
  const channel = options.channel ?? TASK_CHANGES;
  const probeMs = options.probeIntervalMs ?? PROBE_INTERVAL_MS;
  let state: 'live' | 'down' = 'down';
  let closed = false;
  let failures = 0;
  let current: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const setState = (next: 'live' | 'down', cause?: unknown) => {
    if (next === state) return;
    state = next;
    options.onState?.(next, cause);
  };

  const drop = (client: pg.Client, cause: unknown) => {
    if (client !== current) return;
    current = undefined;
    clearTimeout(timer);
    // Destroying the socket: a polite goodbye over a half-open connection would wait for minutes.
    destroy(client);
    if (isRefusal(cause) && typeof client.password === 'string') onRefused?.(client.password);
    retryLater(cause);
  };

  const retryLater = (cause: unknown) => {
    setState('down', cause);
    if (closed) return;
    const wait = Math.min(MAX_RECONNECT_MS, 100 * 2 ** Math.min(failures++, 10));
    timer = setTimeout(connect, wait * (0.5 + Math.random()));
    timer.unref();
  };

  const probe = async (client: pg.Client) => {
    try {
      const { rows } = await client.query('/* db.listen_probe */ select pg_listening_channels() as channel');
      if (!rows.some((row: { channel: string }) => row.channel === channel))
        throw new Error('no longer listening');
      if (client === current && !closed) schedule(client);
    } catch (error) {
      drop(client, error);
    }
  };
  const schedule = (client: pg.Client) => {
    timer = setTimeout(() => void probe(client), probeMs * (0.9 + Math.random() * 0.2));
    timer.unref();
  };

  const connect = async () => {
    try {
      await password?.();
    } catch (error) {
      retryLater(error);
      return;
    }
    if (closed) return;
    const client = new pg.Client({
      ...connectionSettings(url, password),
      application_name: options.applicationName,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // One that was asleep takes its time.
      connectionTimeoutMillis: password ? 30_000 : 10_000,
      query_timeout: probeMs / 2,
    });
    current = client;
    client.on('error', (error) => drop(client, error));
    client.on('end', () => drop(client, new Error('connection ended')));
    client.on('notification', () => options.onPing());
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      await options.onConnect?.(client);
      if (client !== current) return;
      failures = 0;
      setState('live');
      options.onPing();
      schedule(client);
    } catch (error) {
      drop(client, error);
    }
  };

  void connect();
  return {
    state: () => state,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      const client = current;
      current = undefined;
      if (client) destroy(client);
      setState('down');
    },
  };
}

function destroy(client: pg.Client): void {
  client.removeAllListeners();
  client.on('error', () => {});
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
