import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The least that can be between a commit and many readers: one listening connection and one write to each socket, with
 * an event of the size of Tickmark's. It reads nothing, checks nobody and remembers nothing.
 */
async function main(): Promise<void> {
  const readers = new Set<ServerResponse>();
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    readers.add(response);
    response.on('close', () => readers.delete(response));
  });
  const client = new pg.Client({ connectionString: process.argv[2] });
  await client.connect();
  await client.query('listen task_changes');
  client.on('notification', () => {
    const frame = Buffer.from(`id: 1\nevent: change\ndata: ${JSON.stringify(CHANGE)}\n\n`);
    for (const reader of readers) reader.write(frame);
  });
  server.listen(0, '127.0.0.1', 5_000);
  await once(server, 'listening');
  process.send?.({ port: (server.address() as AddressInfo).port });
}

const CHANGE = {
  at: new Date().toISOString(),
  counts: { enqueued: 30, processing: 0, completed: 0, failed: 0, cancelled: 0 },
  tasks: [
    { id: '0190a5b0-0000-7000-8000-000000000000', status: 'enqueued', agent: 'bench-0', extractionId: null },
  ],
  truncated: false,
};

process.once('disconnect', () => process.exit(0));
await main();
