import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DocumentStore, OUTBOX_FILE } from './port';

/** A store to be put to the test, with what only its maker can tell. */
export interface StoreUnderTest {
  readonly store: DocumentStore;
  /** Every file that the store holds now, drafts included. */
  listFiles(): Promise<string[]>;
  close(): Promise<void>;
}

const RUN = '7b0ad9de-6a66-4c0e-8a07-4d3f2f5f0c11';
const limit = { maxBytes: 1_000_000 };

/** What every document store must do; each implementation's test file calls this once. */
export function documentStoreConformance(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`document store: ${name}`, () => {
    let made: StoreUnderTest;
    let store: DocumentStore;
    beforeAll(async () => {
      made = await make();
      store = made.store;
    });
    afterAll(() => made.close());

    describe('putting', () => puttingConformance(() => made));
    describe('opening', () => openingConformance(() => store));
    describe('files of a run', () => runFilesConformance(() => store));
  });
}

function puttingConformance(made: () => StoreUnderTest): void {
  test('the same bytes are kept once, under their hash', async () => {
    const content = Buffer.from(`%PDF-1.7 ${'once '.repeat(5000)}`);
    const first = await made().store.put(Readable.from([content]), limit);
    const files = await made().listFiles();
    const again = await made().store.put(Readable.from([content.subarray(0, 9), content.subarray(9)]), limit);
    expect(again).toEqual(first);
    expect(first.sha256).toBe(createHash('sha256').update(content).digest('hex'));
    expect(first.sizeBytes).toBe(content.length);
    expect(await made().listFiles()).toEqual(files);
  });

  test('the same bytes put many times at once are stored once and can be read', async () => {
    const content = Buffer.alloc(200_000, 'at once');
    const files = (await made().listFiles()).length;
    const puts = Array.from({ length: 10 }, () => made().store.put(Readable.from([content]), limit));
    const uris = new Set((await Promise.all(puts)).map((stored) => stored.uri));
    expect(uris.size).toBe(1);
    expect((await made().listFiles()).length).toBe(files + 1);
    const opened = await made().store.open([...uris][0] ?? '');
    expect(opened?.sizeBytes).toBe(content.length);
    expect(opened && (await buffer(opened.bytes)).equals(content)).toBe(true);
  });

  test('an empty stream is refused as empty_file and leaves nothing behind', async () => {
    await expectNothingLeft(made(), () => Readable.from([]), { code: 'empty_file' });
  });

  test('a stream over the limit is refused as too_large before it is read to its end', async () => {
    let given = 0;
    const endless = new Readable({
      read() {
        given += 100_000;
        this.push(Buffer.alloc(100_000, 1));
      },
    });
    await expectNothingLeft(made(), () => endless, { code: 'too_large' });
    expect(given).toBeLessThan(limit.maxBytes * 2);
    // The rest is the caller's: in a multipart body another file follows.
    expect(endless.destroyed).toBe(false);
    endless.destroy();
  });

  test('exactly the limit is accepted', async () => {
    const stored = await made().store.put(Readable.from([Buffer.alloc(limit.maxBytes, 3)]), limit);
    expect(stored.sizeBytes).toBe(limit.maxBytes);
  });

  test('a sender that goes away in the middle leaves nothing behind', async () => {
    await expectNothingLeft(made(), () => cutOff(new Error('connection reset')), {
      message: 'connection reset',
    });
  });

  test('a stream that is cut without an error is not taken for a whole document', async () => {
    await expectNothingLeft(made(), () => cutOff(), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });
}

/** A stream that sends a part and then ends without its end. */
function cutOff(error?: Error): Readable {
  const stream = new PassThrough();
  stream.write(Buffer.alloc(50_000, 2));
  setImmediate(() => stream.destroy(error));
  return stream;
}

async function expectNothingLeft(made: StoreUnderTest, send: () => Readable, error: object): Promise<void> {
  const before = await made.listFiles();
  await expect(made.store.put(send(), limit)).rejects.toMatchObject(error);
  expect(await made.listFiles()).toEqual(before);
}

function openingConformance(store: () => DocumentStore): void {
  test('a part is what an HTTP range asks for, with the size of the whole', async () => {
    const { uri } = await store().put(Readable.from([Buffer.from('0123456789')]), limit);
    const part = await store().open(uri, { start: 2, end: 5 });
    expect(part?.sizeBytes).toBe(10);
    expect(part && (await text(part.bytes))).toBe('2345');
    const tail = await store().open(uri, { start: 8, end: 500 });
    expect(tail && (await text(tail.bytes))).toBe('89');
    const beyond = await store().open(uri, { start: 10, end: 20 });
    expect(beyond && (await text(beyond.bytes))).toBe('');
  });

  test('a document is lent as a file of this machine, and not beyond its use', async () => {
    const content = Buffer.alloc(150_000, 'lent');
    const { uri } = await store().put(Readable.from([content]), limit);
    expect(await store().lendFile(uri, async (file) => (await readFile(file)).equals(content))).toBe(true);
    const failing = store().lendFile(uri, async () => {
      throw new Error('the borrower failed');
    });
    await expect(failing).rejects.toThrow('the borrower failed');
    await store().remove(uri);
    expect(await store().lendFile(uri, async () => 'used')).toBeNull();
  });

  test('what is not there is null, also after it was removed, and removing twice is no error', async () => {
    const { uri } = await store().put(Readable.from([Buffer.from('to be removed')]), limit);
    await store().remove(uri);
    await store().remove(uri);
    expect(await store().open(uri)).toBeNull();
  });

  test.each([
    '../../etc/passwd',
    '/etc/passwd',
    'sha256:../../../etc/passwd',
    `sha256:${'A'.repeat(64)}`,
    `sha256:${'a'.repeat(64)}\n`,
    `sha256:${'a'.repeat(63)}\0`,
    '',
  ])('an address that the store did not give is refused: %j', async (uri) => {
    await expect(store().open(uri)).rejects.toThrow(TypeError);
    await expect(store().remove(uri)).rejects.toThrow(TypeError);
    await expect(store().lendFile(uri, async () => null)).rejects.toThrow(TypeError);
    expect(() => store().pathForRun(uri)).toThrow(TypeError);
  });
}

function runFilesConformance(store: () => DocumentStore): void {
  test('a file of a run is read back as written, and replaced as a whole', async () => {
    expect(await store().readRunFile(RUN, OUTBOX_FILE, 1000)).toBeNull();
    await store().writeRunFile(RUN, OUTBOX_FILE, 'a first, longer text: Überprüfung €');
    await store().writeRunFile(RUN, OUTBOX_FILE, 'second');
    expect(await store().readRunFile(RUN, OUTBOX_FILE, 1000)).toBe('second');
  });

  test('a file over the limit is not read', async () => {
    await store().writeRunFile(RUN, 'big.json', 'x'.repeat(2000));
    await expect(store().readRunFile(RUN, 'big.json', 1999)).rejects.toThrow(/2000 bytes/);
    expect(await store().readRunFile(RUN, 'big.json', 2000)).toHaveLength(2000);
  });

  test('one file of a run can go alone, and runs with files can be listed', async () => {
    await store().writeRunFile(RUN, 'one.json', '1');
    await store().writeRunFile(RUN, 'two.json', '2');
    await store().removeRunFile(RUN, 'one.json');
    await store().removeRunFile(RUN, 'one.json');
    expect(await store().readRunFile(RUN, 'one.json', 1000)).toBeNull();
    expect(await store().readRunFile(RUN, 'two.json', 1000)).toBe('2');
    expect(await store().listRuns()).toContain(RUN);
    await store().removeRunFiles(RUN);
    expect(await store().listRuns()).not.toContain(RUN);
  });

  test('all files of a run go together, and removing twice is no error', async () => {
    await store().writeRunFile(RUN, 'one.json', '1');
    await store().removeRunFiles(RUN);
    await store().removeRunFiles(RUN);
    expect(await store().readRunFile(RUN, 'one.json', 1000)).toBeNull();
  });

  test.each([
    ['../../outside', 'input.json'],
    [RUN, '../input.json'],
    [RUN, '..'],
    ['.', 'input.json'],
    ['', 'input.json'],
    [RUN, 'a/b'],
    [RUN, 'a\0b'],
  ])('a name that would lead out of the folder is refused: %j %j', async (attemptId, name) => {
    await expect(store().writeRunFile(attemptId, name, 'x')).rejects.toThrow(TypeError);
    await expect(store().readRunFile(attemptId, name, 10)).rejects.toThrow(TypeError);
  });
}
