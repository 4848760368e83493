import type { AddressInfo } from 'node:net';
import { connect as connectTo, createServer, type Socket } from 'node:net';

/** A point in a process's work, named by the comment of the statement that it is about to send. */
export interface HoldPoint {
  /** Such as `queue.record_dispatch`. */
  readonly statement: string;
  /** Hold at the commit of the transaction that the statement is in; default: at the statement itself. */
  readonly atCommit?: boolean;
  /** Let the server have it, and keep only the answer back. */
  readonly passOn?: boolean;
}

/** A point that was reached: its connection stands still from there on. */
export interface Held {
  /** Sends what was kept back, in both directions, and lets the connection go on. */
  release(): void;
}

/** Stands between processes and PostgreSQL; a way to stop them at an exact point without a hook in them. */
export interface DatabaseProxy {
  /** The same database by this way. */
  url(databaseUrl: string): string;
  /** Resolves once a connection has come to the point, the first one only; rejects when none does within a minute. */
  holdAt(point: HoldPoint): Promise<Held>;
  /**
   * Stops forwarding on all present connections of a program, without closing them, as a network does that has lost
   * its way; new connections work. Answers how many.
   */
  silence(applicationName: string): number;
  /** When a client dies, its sessions live on: as if its machine had vanished from the network. */
  keepSessions: boolean;
  close(): Promise<void>;
}

const POINT_SECONDS = 60;

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  applicationName: string | null;
  state: 'open' | 'held' | 'silent';
  /** In the transaction that is to be held at its commit. */
  marked: boolean;
  readonly keptBack: { readonly to: Socket; readonly data: Buffer }[];
}

export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const port = Number(new URL(databaseUrl).port);
  const links = new Set<Link>();
  let armed: { readonly point: HoldPoint; readonly reached: (held: Held) => void } | undefined;

  const hold = (link: Link): Held => {
    link.state = 'held';
    return {
      release() {
        link.state = 'open';
        for (const { to, data } of link.keptBack.splice(0)) to.write(data);
      },
    };
  };

  /** Whether this message is where the connection is to stop. */
  const isThePoint = (link: Link, data: Buffer): boolean => {
    if (!armed) return false;
    const { statement, atCommit } = armed.point;
    const comesBy = data.includes(`/* ${statement} */`);
    if (!atCommit) return comesBy;
    if (comesBy) link.marked = true;
    return link.marked && data.includes('commit\0');
  };

  const fromClient = (link: Link, data: Buffer) => {
    link.applicationName ??= /application_name\0([^\0]*)\0/.exec(data.toString('latin1'))?.[1] ?? '';
    if (link.state === 'silent') return;
    if (link.state === 'held') return void link.keptBack.push({ to: link.server, data });
    if (!isThePoint(link, data)) return void link.server.write(data);
    const { point, reached } = armed ?? {};
    armed = undefined;
    const held = hold(link);
    if (point?.passOn) link.server.write(data);
    else link.keptBack.push({ to: link.server, data });
    reached?.(held);
  };
  const fromServer = (link: Link, data: Buffer) => {
    if (link.state === 'silent') return;
    if (link.state === 'held') link.keptBack.push({ to: link.client, data });
    else link.client.write(data);
  };

  const server = createServer((client) => {
    const link: Link = {
      client,
      server: connectTo(port, '127.0.0.1'),
      applicationName: null,
      state: 'open',
      marked: false,
      keptBack: [],
    };
    links.add(link);
    for (const socket of [link.client, link.server]) socket.setNoDelay(true).on('error', () => {});
    link.client.on('data', (data) => fromClient(link, data));
    link.server.on('data', (data) => fromServer(link, data));
    link.server.on('close', () => {
      links.delete(link);
      link.client.destroy();
    });
    link.client.on('close', () => {
      if (!proxy.keepSessions) link.server.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const proxy: DatabaseProxy = {
    keepSessions: false,
    url(direct) {
      const changed = new URL(direct);
      changed.port = String((server.address() as AddressInfo).port);
      return changed.href;
    },
    holdAt: (point) =>
      new Promise((resolve, reject) => {
        const missed = setTimeout(() => {
          armed = undefined;
          reject(new Error(`no connection came to ${point.statement} within ${POINT_SECONDS} s`));
        }, POINT_SECONDS * 1000);
        const reached = (held: Held) => {
          clearTimeout(missed);
          resolve(held);
        };
        armed = { point, reached };
      }),
    silence(applicationName) {
      const silenced = [...links].filter((link) => link.applicationName === applicationName);
      for (const link of silenced) link.state = 'silent';
      return silenced.length;
    },
    async close() {
      for (const link of links) {
        link.client.destroy();
        link.server.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
