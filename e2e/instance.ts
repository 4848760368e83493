import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { z } from 'zod';

/**
 * The port of this run's own Tickmark: chosen once, and handed to Playwright's worker processes. With
 * TICKMARK_E2E_HOME set from outside, that of the Tickmark that already runs on that data folder.
 */
export async function e2ePort(): Promise<number> {
  const { TICKMARK_E2E_HOME: home, TICKMARK_E2E_PORT: chosen } = process.env;
  if (home && !chosen) return Number(new URL((await readInstance(home)).url).port);
  process.env.TICKMARK_E2E_PORT ??= String(await freePort());
  return Number(process.env.TICKMARK_E2E_PORT);
}

const InstanceFile = z.object({ url: z.string(), databaseUrl: z.string(), pid: z.number() });
const SecretsFile = z.object({ webhookSecret: z.string() });

/** The running Tickmark as its data folder describes it. */
export async function readInstance(home: string) {
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(home, name), 'utf8'));
  return {
    ...InstanceFile.parse(await read('instance.json')),
    ...SecretsFile.parse(await read('secrets.json')),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === 'string') throw new Error('no free port on 127.0.0.1');
  return address.port;
}
