import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { listen } from './listen';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A queue of what happened, to be awaited in turn. */
function log<T>() {
  const seen: T[] = [];
  let wake = () => {};
  return {
    push: (item: T) => {
      seen.push(item);
      wake();
    },
    next: async (): Promise<T> => {
      while (seen.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return seen.shift() as T;
    },
  };
}

const notify = () => database.db.$client.query(`select pg_notify('task_changes', '')`);

describe('listen', () => {
  it('M22: pings when it starts to listen, and on every notification', async () => {
    const pings = log<true>();
    const listener = listen({
      database: database.url,
      applicationName: 'listen test',
      onPing: () => pings.push(true),
    });
    await pings.next();
    expect(listener.state()).toBe('live');
    await notify();
    await pings.next();
    await listener.close();
    expect(listener.state()).toBe('down');
  });

  it('B11: says so when its session is ended, listens again, and pings for what it may have missed', async () => {
    const [pings, states] = [log<true>(), log<string>()];
    const listener = listen({
      database: database.url,
      applicationName: 'listen killed',
      onPing: () => pings.push(true),
      onState: (state) => states.push(state),
    });
    expect(await states.next()).toBe('live');
    await pings.next();
    await database.db.$client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listen killed'`,
    );
    expect(await states.next()).toBe('down');
    expect(await states.next()).toBe('live');
    await pings.next();
    await notify();
    await pings.next();
    await listener.close();
  });

  it('B11: notices a connection that went silent without an error', async () => {
    // A wire that can be cut so that neither end hears of it.
    let silent = false;
    const target = new URL(database.url);
    const proxy = net.createServer((client) => {
      const server = net.connect(Number(target.port || 5432), target.hostname);
      const forward = (from: net.Socket, to: net.Socket) => {
        from.on('data', (chunk) => silent || to.write(chunk));
        from.on('close', () => to.destroy());
        from.on('error', () => {});
      };
      forward(client, server);
      forward(server, client);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const through = new URL(database.url);
    through.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`;

    const [pings, states] = [log<true>(), log<string>()];
    const listener = listen({
      database: through.href,
      applicationName: 'listen silent',
      onPing: () => pings.push(true),
      onState: (state) => states.push(state),
      probeIntervalMs: 100,
    });
    expect(await states.next()).toBe('live');
    silent = true;
    expect(await states.next()).toBe('down');
    silent = false;
    expect(await states.next()).toBe('live');
    await listener.close();
    proxy.close();
  });
});
