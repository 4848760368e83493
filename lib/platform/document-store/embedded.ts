import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { syncFolder, writeFileWhole } from '@/lib/process/write-file-whole';
import { createDrafts, writeDraft } from './drafts';
import type { ByteRange, DocumentStore } from './port';
import { checkedName, parseUri } from './stored-address';

/**
 * Documents in a folder of this machine: `documents/<aa>/<sha256>`, and beside them `runs/<attemptId>/`.
 * @param home absolute path of the data folder
 */
export function createEmbeddedDocumentStore(home: string): DocumentStore {
  const documents = path.join(home, 'documents');
  const drafts = createDrafts(path.join(documents, '.incoming'));
  const pathOf = (uri: string) => {
    const sha256 = parseUri(uri);
    return path.join(documents, sha256.slice(0, 2), sha256);
  };
  const runFolder = (attemptId: string) => path.join(home, 'runs', checkedName(attemptId));

  return {
    async put(bytes, { maxBytes }) {
      // The sender may go away before the first read; without a listener that would end the process.
      bytes.on('error', ignore);
      return drafts
        .lend(async (draft) => {
          const stored = await writeDraft(draft, bytes, maxBytes);
          const target = pathOf(stored.uri);
          await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
          // Over an existing file as well: the content is the same, and a damaged copy is healed.
          await rename(draft, target);
          await syncFolder(path.dirname(target));
          return stored;
        })
        .finally(() => bytes.off('error', ignore));
    },

    async open(uri, range) {
      const handle = await openFile(pathOf(uri));
      if (!handle) return null;
      try {
        const { size } = await handle.stat();
        return { bytes: await readPart(handle, size, range), sizeBytes: size };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    async remove(uri) {
      await rm(pathOf(uri), { force: true });
    },

    pathForRun: pathOf,

    async lendFile(uri, use) {
      const file = pathOf(uri);
      const isThere = await lstat(file).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false;
          throw error;
        },
      );
      return isThere ? use(file) : null;
    },

    async writeRunFile(attemptId, name, content) {
      const file = path.join(runFolder(attemptId), checkedName(name));
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFileWhole(file, content);
      return file;
    },

    async readRunFile(attemptId, name, maxBytes) {
      const handle = await openFile(path.join(runFolder(attemptId), checkedName(name)));
      if (!handle) return null;
      try {
        return await readAtMost(handle, maxBytes);
      } finally {
        await handle.close();
      }
    },

    async removeRunFile(attemptId, name) {
      await rm(path.join(runFolder(attemptId), checkedName(name)), { force: true });
    },

    async listRuns() {
      const entries = await readdir(path.join(home, 'runs'), { withFileTypes: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return [];
          throw error;
        },
      );
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },

    async removeRunFiles(attemptId) {
      await rm(runFolder(attemptId), { recursive: true, force: true });
    },
  };
}

/** The error itself reaches the caller through the read that fails. */
function ignore(): void {}

/** `null` when absent. Neither follows a link nor waits on a pipe: a run's folder can be written by the run. */
async function openFile(file: string): Promise<FileHandle | null> {
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const stats = await handle.stat();
  if (stats.isFile()) return handle;
  await handle.close();
  throw new Error(`${file} is not a regular file`);
}

async function readPart(handle: FileHandle, size: number, range: ByteRange | undefined): Promise<Readable> {
  if (!range) return handle.createReadStream();
  if (range.start < 0 || range.end < range.start) {
    throw new RangeError(`not a range: ${range.start}-${range.end}`);
  }
  if (range.start < size) return handle.createReadStream({ start: range.start, end: range.end });
  await handle.close();
  return Readable.from([]);
}

async function readAtMost(handle: FileHandle, maxBytes: number): Promise<string> {
  const { size } = await handle.stat();
  if (size > maxBytes) throw new RangeError(`the run's file has ${size} bytes, over ${maxBytes}`);
  const content = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(content, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return content.toString('utf8', 0, filled);
}
