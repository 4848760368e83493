import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a database on which some sessions do not come about, as behind a pooler that can't listen. */
export interface DeafDatabase {
  readonly url: string;
  /** Sessions that were refused. */
  readonly refused: number;
  close(): Promise<void>;
}

/** Passes all sessions on but those whose application's name holds `refuse`. */
export async function deafDatabase(url: string, refuse: string): Promise<DeafDatabase> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let refused = 0;
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {});
    // The first bytes of a session name its application.
    client.once('data', (greeting) => {
      if (greeting.includes(refuse)) {
        refused += 1;
        client.destroy();
        return;
      }
      const database = connect(Number(target.port), target.hostname);
      sockets.add(database);
      database.on('error', () => client.destroy());
      client.on('close', () => database.destroy());
      database.write(greeting);
      client.pipe(database).pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    get refused() {
      return refused;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
