import { createHash, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Config } from './schema';

const Secrets = z.object({ webhookSecret: z.string().min(32), authSecret: z.string().min(32) });
export type Secrets = z.infer<typeof Secrets>;

/**
 * The two secrets of an installation: from the environment where set, else made once and kept in `secrets.json`
 * (mode 0600) of the data folder. Safe when two processes ask first at once: the loser reads the winner's file.
 */
export async function loadSecrets(config: Config): Promise<Secrets> {
  if (config.webhookSecret && config.authSecret) {
    return { webhookSecret: config.webhookSecret, authSecret: config.authSecret };
  }
  const file = path.join(config.home, 'secrets.json');
  const kept = (await readSecrets(file)) ?? (await makeSecrets(file));
  return {
    webhookSecret: config.webhookSecret ?? kept.webhookSecret,
    authSecret: config.authSecret ?? kept.authSecret,
  };
}

/** What may be stored and compared in place of a secret. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(`tickmark:${secret}`).digest('hex').slice(0, 16);
}

async function readSecrets(file: string): Promise<Secrets | null> {
  try {
    return Secrets.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${file} can't be read as secrets; restore it, or move it away to make new ones`, {
      cause: error,
    });
  }
}

async function makeSecrets(file: string): Promise<Secrets> {
  const made: Secrets = {
    webhookSecret: randomBytes(32).toString('base64url'),
    authSecret: randomBytes(32).toString('base64url'),
  };
  await mkdir(path.dirname(file), { recursive: true });
  // link() is atomic and fails when the name exists: a half-written file is never seen under the final name.
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, JSON.stringify(made), { mode: 0o600 });
    await chmod(draft, 0o600);
    await link(draft, file);
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const winner = await readSecrets(file);
    if (!winner) throw error;
    return winner;
  } finally {
    await rm(draft, { force: true });
  }
}
