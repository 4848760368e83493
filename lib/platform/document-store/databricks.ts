import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Content, VolumeFiles } from '@/lib/databricks/volume-files';
import type { StreamedAnswer } from '@/lib/databricks/workspace-client';
import { WorkspaceError } from '@/lib/databricks/workspace-error';
import { createDrafts, writeDraft } from './drafts';
import type { ByteRange, DocumentStore, StoredObject } from './port';
import { checkedName, parseUri } from './stored-address';

export interface VolumeStoreOptions {
  readonly files: VolumeFiles;
  /** Such as `/Volumes/main/tickmark/documents`, where runs find it mounted. */
  readonly volume: string;
  /** Absolute path of a folder of this machine for what is on its way; nothing in it outlives its use. */
  readonly drafts: string;
}

/**
 * Documents in a Unity Catalog volume: `documents/<aa>/<sha256>`, and beside them `runs/<attemptId>/`. Bytes pass through
 * a file of this machine: a document's address is known with its last byte only, and a volume can neither rename nor
 * take bytes of an unknown length for sure.
 */
export function createVolumeDocumentStore({
  files,
  volume,
  drafts: folder,
}: VolumeStoreOptions): DocumentStore {
  const drafts = createDrafts(folder);
  const writeInto = createFolderWriter(files);
  const folderOf = (uri: string) => `${volume}/documents/${parseUri(uri).slice(0, 2)}`;
  const pathOf = (uri: string) => `${folderOf(uri)}/${parseUri(uri)}`;
  const runFolder = (attemptId: string) => `${volume}/runs/${checkedName(attemptId)}`;

  /** Whatever is there under the same hash is the same content, unless it was left half-written. */
  const store = async (draft: string, stored: StoredObject) => {
    const path = pathOf(stored.uri);
    if ((await files.size(path)) === stored.sizeBytes) return;
    const content = { sizeBytes: stored.sizeBytes, open: () => createReadStream(draft) };
    for (const overwrite of [false, true]) {
      await writeInto(folderOf(stored.uri), path, content, overwrite);
      if ((await files.size(path)) === stored.sizeBytes) return;
    }
    await files.remove(path);
    throw new Error(
      `${path}: the volume keeps another number of bytes than the ${stored.sizeBytes} it was sent`,
    );
  };

  return {
    async put(bytes, { maxBytes }) {
      // The sender may go away before the first read; without a listener that would end the process.
      bytes.on('error', ignore);
      return drafts
        .lend(async (draft) => {
          const stored = await writeDraft(draft, bytes, maxBytes);
          await store(draft, stored);
          return stored;
        })
        .finally(() => bytes.off('error', ignore));
    },

    open: async (uri, range) => openPart(files, pathOf(uri), range),
    remove: async (uri) => files.remove(pathOf(uri)),
    pathForRun: pathOf,

    async lendFile(uri, use) {
      const opened = await openPart(files, pathOf(uri), undefined);
      if (!opened) return null;
      return drafts.lend(async (draft) => {
        await pipeline(opened.bytes, createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
        return use(draft);
      });
    },

    async writeRunFile(attemptId, name, content) {
      const folder = runFolder(attemptId);
      const path = `${folder}/${checkedName(name)}`;
      const bytes = Buffer.from(content);
      await writeInto(
        folder,
        path,
        { sizeBytes: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) },
        true,
      );
      return path;
    },

    async readRunFile(attemptId, name, maxBytes) {
      const answer = await files.download(`${runFolder(attemptId)}/${checkedName(name)}`);
      return answer && readAtMost(answer, maxBytes);
    },

    removeRunFile: async (attemptId, name) => files.remove(`${runFolder(attemptId)}/${checkedName(name)}`),

    async listRuns() {
      const entries = await files.list(`${volume}/runs`);
      return entries.filter(({ isFolder }) => isFolder).map(({ name }) => name);
    },

    removeRunFiles: async (attemptId) => removeTree(files, runFolder(attemptId)),
  };
}

/** The error itself reaches the caller through the read that fails. */
function ignore(): void {}

type WriteInto = (folder: string, path: string, content: Content, overwrite: boolean) => Promise<void>;

const MANY_FOLDERS = 1_000;

/** Writes a file into a folder that may not be there yet: whether the volume makes it by itself is nowhere promised. */
function createFolderWriter(files: VolumeFiles): WriteInto {
  const made = new Set<string>();
  return async (folder, path, content, overwrite) => {
    for (let tries = 0; tries < 2; tries += 1) {
      if (!made.has(folder)) {
        await files.makeFolder(folder);
        if (made.size >= MANY_FOLDERS) made.clear();
        made.add(folder);
      }
      if ((await files.upload(path, content, { overwrite })) !== 'no_folder') return;
      // Removed by somebody since it was made.
      made.delete(folder);
    }
    throw new Error(`${path}: the volume says that there is no folder ${folder}, though it was just made`);
  };
}

async function removeTree(files: VolumeFiles, folder: string): Promise<void> {
  for (const { name, isFolder } of await files.list(folder)) {
    await (isFolder ? removeTree(files, `${folder}/${name}`) : files.remove(`${folder}/${name}`));
  }
  await files.removeFolder(folder);
}

async function openPart(files: VolumeFiles, path: string, range: ByteRange | undefined) {
  if (range && (range.start < 0 || range.end < range.start)) {
    throw new RangeError(`not a range: ${range.start}-${range.end}`);
  }
  const answer = await files.download(path, range).catch((error: unknown) => {
    if (range && error instanceof WorkspaceError && error.status === 416) return 'beyond' as const;
    throw error;
  });
  if (answer === null) return null;
  if (answer === 'beyond') {
    const sizeBytes = await files.size(path);
    return sizeBytes === null ? null : { bytes: Readable.from([]), sizeBytes };
  }
  const total = /\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1];
  const told = answer.status === 206 ? total : answer.header('content-length');
  const sizeBytes = told === undefined ? await files.size(path) : Number(told);
  if (sizeBytes === null) throw new Error(`${path}: the volume does not say how long it is`);
  // A server may answer a range with the whole.
  const bytes = range && answer.status !== 206 ? Readable.from(cutOut(answer.body, range)) : answer.body;
  return { bytes, sizeBytes };
}

async function* cutOut(whole: Readable, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const piece of whole as AsyncIterable<Buffer>) {
    const part = piece.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += piece.length;
    if (part.length > 0) yield part;
    if (at > end) return;
  }
}

async function readAtMost({ header, body }: StreamedAnswer, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  const told = Number(header('content-length') ?? 0);
  let bytes = 0;
  if (told <= maxBytes) {
    for await (const piece of body as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes) break;
      pieces.push(piece);
    }
  }
  body.destroy();
  if (Math.max(told, bytes) > maxBytes) {
    throw new RangeError(`the run's file has ${Math.max(told, bytes)} bytes, over ${maxBytes}`);
  }
  return Buffer.concat(pieces).toString('utf8');
}
