import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder and what is missing above it, one at a time: Node's recursive mkdir calls a read-only disk a missing
 * folder, and never ends where a parent that exists answers ENOENT (/proc). Throws the system's own error.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const missing: string[] = [];
  for (let at = folder; !(await isThere(at)); at = path.dirname(at)) missing.push(at);
  for (const next of missing.reverse()) {
    await mkdir(next, { mode }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function isThere(folder: string): Promise<boolean> {
  try {
    await stat(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
