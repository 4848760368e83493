import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPointer } from '@/lib/embedded-postgres/cluster';
import { findPostmaster, stopPostmaster } from '@/lib/embedded-postgres/postmaster';

const PREFIX = 'tickmark-test-';

/** Folder of this run's server; its name tells the next run whose it was. */
export function testHome(): string {
  return path.join(tmpdir(), `${PREFIX}${process.pid}`);
}

/** Ends the servers of test runs that were killed, and removes their folders. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = /^tickmark-test-(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await removeTestHome(path.join(tmpdir(), name));
  }
}

/** Ends the server of one test's data folder, if it runs, and removes the folder. */
export async function removeTestHome(home: string): Promise<void> {
  const pointer = await readPointer(home).catch(() => null);
  const pid = pointer ? await findPostmaster(pointer.cluster) : null;
  if (pid) await stopPostmaster(pid, 0);
  await rm(home, { recursive: true, force: true });
  if (pointer?.outside) await rm(path.dirname(pointer.outside), { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
