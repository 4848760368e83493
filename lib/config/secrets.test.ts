import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseConfig } from './schema';
import { fingerprint, loadSecrets } from './secrets';

const homes: string[] = [];
const home = async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tickmark-secrets-'));
  homes.push(folder);
  return folder;
};
afterAll(() => Promise.all(homes.map((folder) => rm(folder, { recursive: true }))));

test('secrets are made once, kept with mode 0600, and read again', async () => {
  const config = parseConfig({ TICKMARK_HOME: await home() }, '/');
  const first = await loadSecrets(config);
  expect(await loadSecrets(config)).toEqual(first);
  expect((await stat(path.join(config.home, 'secrets.json'))).mode & 0o777).toBe(0o600);
});

test('many processes that ask first at once all get the same ones', async () => {
  const config = parseConfig({ TICKMARK_HOME: await home() }, '/');
  const all = await Promise.all(Array.from({ length: 20 }, () => loadSecrets(config)));
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
});

test('what is set in the environment wins and nothing is written when both are', async () => {
  const folder = await home();
  const secret = 'x'.repeat(32);
  const config = parseConfig({ TICKMARK_HOME: folder, WEBHOOK_SECRET: secret, AUTH_SECRET: secret }, '/');
  expect(await loadSecrets(config)).toEqual({ webhookSecret: secret, authSecret: secret });
  await expect(readFile(path.join(folder, 'secrets.json'))).rejects.toThrow();
});

test('a damaged file is not replaced: that would invalidate every session and running attempt', async () => {
  const folder = await home();
  await writeFile(path.join(folder, 'secrets.json'), '{"webhookSecret":');
  const config = parseConfig({ TICKMARK_HOME: folder }, '/');
  await expect(loadSecrets(config)).rejects.toThrow(/secrets\.json/);
});

test('a fingerprint tells secrets apart and does not tell the secret', () => {
  expect(fingerprint('a')).not.toBe(fingerprint('b'));
  expect(fingerprint('a')).toMatch(/^[0-9a-f]{16}$/);
});
