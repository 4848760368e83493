import { mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { documentStoreConformance } from './conformance';
import { createEmbeddedDocumentStore } from './embedded';

const listFiles = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
};
const makeHome = () => mkdtemp(path.join(os.tmpdir(), 'tickmark-store-'));

documentStoreConformance('embedded', async () => {
  const home = await makeHome();
  return {
    store: createEmbeddedDocumentStore(home),
    listFiles: () => listFiles(home),
    close: () => rm(home, { recursive: true }),
  };
});

let home: string;
beforeEach(async () => {
  home = await makeHome();
});
afterEach(() => rm(home, { recursive: true }));

test('documents and files of runs are readable by this user alone', async () => {
  const store = createEmbeddedDocumentStore(home);
  const { uri } = await store.put(Readable.from([Buffer.from('private')]), { maxBytes: 100 });
  const inputPath = await store.writeRunFile('a-run', 'input.json', '{}');
  const mode = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);
  expect(await mode(store.pathForRun(uri))).toBe('600');
  expect(await mode(path.dirname(store.pathForRun(uri)))).toBe('700');
  expect(await mode(inputPath)).toBe('600');
  expect(await mode(path.dirname(inputPath))).toBe('700');
});

test('a link that a run left in place of its outbox is not followed', async () => {
  const store = createEmbeddedDocumentStore(home);
  const input = await store.writeRunFile('a-run', 'input.json', '{}');
  await writeFile(path.join(home, 'secrets.json'), 'secret');
  await symlink(path.join(home, 'secrets.json'), path.join(path.dirname(input), 'outbox.json'));
  await expect(store.readRunFile('a-run', 'outbox.json', 1000)).rejects.toThrow();
});

test('a large document is written as it arrives, not gathered in memory', async () => {
  const store = createEmbeddedDocumentStore(home);
  const piece = Buffer.alloc(1024 * 1024, 7);
  let given = 0;
  const source = new Readable({
    highWaterMark: 1,
    read() {
      given += 1;
      this.push(given <= 300 ? piece : null);
    },
  });
  const before = process.memoryUsage().rss;
  const stored = await store.put(source, { maxBytes: 400 * 1024 * 1024 });
  expect(stored.sizeBytes).toBe(300 * 1024 * 1024);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
});

test('a damaged copy is healed when the same document comes again', async () => {
  const store = createEmbeddedDocumentStore(home);
  const content = Buffer.from('the true content');
  const { uri } = await store.put(Readable.from([content]), { maxBytes: 100 });
  await writeFile(store.pathForRun(uri), 'damaged');
  await store.put(Readable.from([content]), { maxBytes: 100 });
  const opened = await store.open(uri);
  expect(opened && (await buffer(opened.bytes)).equals(content)).toBe(true);
});

test('drafts of a process that died long ago are cleared away, fresh ones are left', async () => {
  const first = createEmbeddedDocumentStore(home);
  await first.put(Readable.from([Buffer.from('x')]), { maxBytes: 100 });
  const old = path.join(home, 'documents/.incoming/old');
  const fresh = path.join(home, 'documents/.incoming/fresh');
  await writeFile(old, 'half a document');
  await writeFile(fresh, 'half a document');
  const twoDaysAgo = new Date(Date.now() - 48 * 3600 * 1000);
  await utimes(old, twoDaysAgo, twoDaysAgo);
  await createEmbeddedDocumentStore(home).put(Readable.from([Buffer.from('y')]), { maxBytes: 100 });
  const left = await listFiles(home);
  expect(left).toContain(fresh);
  expect(left).not.toContain(old);
});
