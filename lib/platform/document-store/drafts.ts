import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { DocumentRefused, type StoredObject } from './port';

/** A draft this old belongs to a process that died while writing it. */
const ABANDONED_DRAFT_MS = 24 * 3600 * 1000;

/** A folder for bytes that are still arriving. */
export interface Drafts {
  /** Lends the path of a file that is not there yet, for as long as `use` takes. */
  lend<T>(use: (draft: string) => Promise<T>): Promise<T>;
}

/** Makes the folder at the first use, readable by this user alone, and clears away what died in it long ago. */
export function createDrafts(folder: string): Drafts {
  let ready: Promise<void> | undefined;
  return {
    async lend(use) {
      ready ??= prepare(folder);
      await ready.catch((error) => {
        ready = undefined;
        throw error;
      });
      const draft = path.join(folder, randomBytes(12).toString('hex'));
      try {
        return await use(draft);
      } finally {
        await rm(draft, { force: true });
      }
    },
  };
}

async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const draft = path.join(folder, name);
    const stats = await lstat(draft).catch(() => null);
    if (stats && Date.now() - stats.mtimeMs > ABANDONED_DRAFT_MS) await rm(draft, { force: true });
  }
}

/**
 * Hashes and counts while writing. The source is not destroyed on an error: in a multipart body the caller goes on to
 * the next file, so what is unread is the caller's to drain or drop. Throws {@link DocumentRefused}.
 */
export async function writeDraft(draft: string, bytes: Readable, maxBytes: number): Promise<StoredObject> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const handle = await open(draft, 'wx', 0o600);
  try {
    for await (const piece of bytes.iterator({ destroyOnReturn: false })) {
      const chunk: Buffer = typeof piece === 'string' ? Buffer.from(piece) : piece;
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new DocumentRefused('too_large');
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    if (sizeBytes === 0) throw new DocumentRefused('empty_file');
    await handle.sync();
  } finally {
    await handle.close();
  }
  const sha256 = hash.digest('hex');
  return { uri: `sha256:${sha256}`, sha256, sizeBytes };
}
