import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { onDatabricks } from './platform';

/**
 * The port of this run's own Tickmark: chosen once, and handed to Playwright's worker processes. With
 * TICKMARK_E2E_HOME set from outside, that of the Tickmark that already runs on that data folder. On Databricks: the port
 * of the proxy in front of it.
 */
export async function e2ePort(): Promise<number> {
  const { TICKMARK_E2E_HOME: home, TICKMARK_E2E_PORT: chosen } = process.env;
  if (home && !chosen) return Number(new URL((await readInstance(home)).url).port);
  process.env.TICKMARK_E2E_PORT ??= String(await freePort());
  return Number(process.env.TICKMARK_E2E_PORT);
}

/** The running Tickmark. */
export interface Instance {
  /** Where people and agents find it: on Databricks, the proxy. */
  readonly url: string;
  /** Where the app itself listens, past any proxy. */
  readonly appUrl: string;
  /** With all rights on its tables. */
  readonly databaseUrl: string;
  readonly webhookSecret: string;
  /** Of the supervisor. */
  readonly pid: number;
}

const InstanceFile = z.object({ url: z.string(), databaseUrl: z.string(), pid: z.number() });
const SecretsFile = z.object({ webhookSecret: z.string() });
const Told = z.object({
  TICKMARK_E2E_URL: z.string(),
  TICKMARK_E2E_APP_URL: z.string(),
  TICKMARK_E2E_APP_PID: z.coerce.number(),
  TICKMARK_E2E_DATABASE_URL: z.string(),
  TICKMARK_E2E_WEBHOOK_SECRET: z.string(),
});

/** The running Tickmark as its data folder describes it; on Databricks, as the set-up of the specs tells of it. */
export async function readInstance(home: string): Promise<Instance> {
  if (onDatabricks) {
    const told = Told.parse(process.env);
    return {
      url: told.TICKMARK_E2E_URL,
      appUrl: told.TICKMARK_E2E_APP_URL,
      databaseUrl: told.TICKMARK_E2E_DATABASE_URL,
      webhookSecret: told.TICKMARK_E2E_WEBHOOK_SECRET,
      pid: told.TICKMARK_E2E_APP_PID,
    };
  }
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(home, name), 'utf8'));
  const instance = InstanceFile.parse(await read('instance.json'));
  return { ...instance, appUrl: instance.url, ...SecretsFile.parse(await read('secrets.json')) };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === 'string') throw new Error('no free port on 127.0.0.1');
  return address.port;
}
