import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A way to the running Tickmark that can be cut: its event stream alone, or everything. */
export interface CuttableProxy {
  readonly url: string;
  cut(what: 'events' | 'everything' | 'nothing'): void;
  close(): Promise<void>;
}

/** Stands between a browser and `target`; what is cut ends at once and is refused until it is mended. */
export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target);
  const open = new Map<ServerResponse, string>();
  let broken: (path: string) => boolean = () => false;

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const path = incoming.url ?? '/';
    if (broken(path)) return void outgoing.destroy();
    open.set(outgoing, path);
    outgoing.on('close', () => {
      open.delete(outgoing);
      onward.destroy();
    });
    const { method, headers } = incoming;
    const onward = request({ hostname, port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  };
  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(what) {
      broken = (path) => what === 'everything' || (what === 'events' && path.startsWith('/api/v1/events'));
      for (const [outgoing, path] of open) if (broken(path)) outgoing.destroy();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
