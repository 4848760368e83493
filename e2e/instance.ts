import { createServer } from 'node:net';

/** The port of this run's own Tickmark: chosen once, and handed to Playwright's worker processes. */
export async function e2ePort(): Promise<number> {
  process.env.TICKMARK_E2E_PORT ??= String(await freePort());
  return Number(process.env.TICKMARK_E2E_PORT);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === 'string') throw new Error('no free port on 127.0.0.1');
  return address.port;
}
