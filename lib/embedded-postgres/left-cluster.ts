import { lstat, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { findPostmaster, stopPostmaster } from './postmaster';

/**
 * Sets aside the cluster of a data folder that was removed: it lay outside of it and stayed behind, and its documents
 * and secrets are gone. A new folder of the same name begins with an empty database; nothing is deleted.
 * @returns where the cluster lies now; null when there was none or the data folder is in use
 */
export async function setLeftClusterAside(home: string, cluster: string): Promise<string | null> {
  if (!(await isThere(path.join(cluster, 'PG_VERSION'))) || !(await isNew(home))) return null;
  const orphan = await findPostmaster(cluster);
  if (orphan) await stopPostmaster(orphan);
  const aside = `${cluster}-left-${new Date().toISOString().replaceAll(/\D/g, '')}`;
  await rename(cluster, aside);
  return aside;
}

/** Whether a data folder was never started on: it holds no secrets and no document. */
async function isNew(home: string): Promise<boolean> {
  if (await isThere(path.join(home, 'secrets.json'))) return false;
  const documents = await readdir(path.join(home, 'documents')).catch(() => []);
  return documents.every((name) => name.startsWith('.'));
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
