import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a file (mode 0600) whole or not at all, durable when this returns: a reader sees the old content or the new,
 * never a part. The folder must exist.
 */
export async function writeFileWhole(file: string, content: string): Promise<void> {
  await withDraft(file, content, (draft) => rename(draft, file));
}

/**
 * Like {@link writeFileWhole}, but only when there is no such file yet. Of any number of processes that try at once,
 * one gets `true`; the content is there the moment the name is.
 */
export async function createFileWhole(file: string, content: string): Promise<boolean> {
  return withDraft(file, content, async (draft) => {
    try {
      await link(draft, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  });
}

/** Makes a rename or a new name in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function withDraft<T>(file: string, content: string, place: (draft: string) => Promise<T>): Promise<T> {
  const draft = path.join(
    /* turbopackIgnore: true */ path.dirname(file),
    `.${path.basename(file)}.${randomBytes(6).toString('hex')}`,
  );
  try {
    const handle = await open(/* turbopackIgnore: true */ draft, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const placed = await place(draft);
    await syncFolder(path.dirname(file));
    return placed;
  } finally {
    await rm(draft, { force: true });
  }
}
