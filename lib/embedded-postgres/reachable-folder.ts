import { chmod, lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';

// Only root needs one. /var/lib first: what lies in a tmp folder for a month may be cleaned away under a running server.
const PLACES = ['/var/lib', '/opt', '/var/tmp', '/tmp'];

/**
 * Makes (or finds) a folder that every account can reach, owned by us. A folder or link of that name that somebody
 * else put there is never used.
 */
export async function makeReachableFolder(name: string, mode: number): Promise<string> {
  const errors: unknown[] = [];
  for (const place of PLACES) {
    const folder = path.join(place, name);
    try {
      await mkdir(folder, { mode }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      const info = await lstat(folder);
      if (!info.isDirectory() || info.uid !== process.getuid?.()) {
        throw new Error(`${folder} belongs to somebody else`);
      }
      await chmod(folder, mode);
      return folder;
    } catch (error) {
      errors.push(error);
    }
  }
  throw new AggregateError(
    errors,
    `no folder outside the data folder can be written for PostgreSQL (tried ${PLACES.join(', ')}): move the data folder (TICKMARK_HOME) where every account can reach it, or set DATABASE_URL`,
  );
}
