import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReadEvent } from './read-document';
import { supervisedRead } from './supervised-read';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickmark-thread-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Reads with a thread that does this instead of reading. */
async function readWith(behaviour: string, stallSeconds = 30): Promise<ReadEvent[]> {
  const script = join(folder, `${Math.random()}.mjs`);
  await writeFile(script, `import { parentPort } from 'node:worker_threads';\n${behaviour}`);
  const events: ReadEvent[] = [];
  const order = { path: 'x.pdf', maxPages: 10 };
  const limits = { stallSeconds, maxHeapMb: 64 };
  for await (const event of supervisedRead(pathToFileURL(script), order, limits)) events.push(event);
  return events;
}

test('events come in order', async () => {
  const events = await readWith(`
    parentPort.postMessage({ kind: 'opened', pageCount: 0 });
    parentPort.postMessage({ kind: 'done', warnings: [], embedded: null });`);
  expect(events.map((event) => event.kind)).toEqual(['opened', 'done']);
});

test('B38: a parser that never comes back is stopped in the middle of an instruction', async () => {
  const reading = readWith(`parentPort.postMessage({ kind: 'opened', pageCount: 1 }); for (;;);`, 0.5);
  await expect(reading).rejects.toMatchObject({ name: 'ReadError', code: 'resource_limit' });
});

test('a parser that fills its heap ends as resource_limit and takes nothing else with it', async () => {
  const reading = readWith(`const held = []; for (;;) held.push(Array.from({ length: 1000 }, () => ({})));`);
  await expect(reading).rejects.toMatchObject({ name: 'ReadError', code: 'resource_limit' });
});

test('a refusal keeps its code, a defect its message', async () => {
  await expect(
    readWith(`parentPort.postMessage({ kind: 'failed', code: 'no_pages', message: 'none' });`),
  ).rejects.toMatchObject({ code: 'no_pages', message: 'none' });
  await expect(readWith(`throw new TypeError('a defect');`)).rejects.toThrow('a defect');
  await expect(readWith(`process.exit(0);`)).rejects.toThrow('ended early');
});
