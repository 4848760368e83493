import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Process id of the server that runs on this cluster, or null. A lock file left by a dead server is removed. */
export async function findPostmaster(cluster: string): Promise<number | null> {
  const lock = path.join(cluster, 'postmaster.pid');
  const text = await readFile(lock, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const pid = Number(text.split('\n')[0]);
  if (Number.isInteger(pid) && pid > 1 && (await isServerOf(pid, cluster))) return pid;
  // The id may by now belong to another program of ours, which would keep the server from starting.
  await rm(lock, { force: true });
  return null;
}

async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  // A server works in its cluster's folder, also after that was moved, when its arguments still say the old path.
  const worksIn = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  if (worksIn !== null && worksIn === (await realpath(cluster))) return true;
  return (await argumentsOf(pid)).includes(cluster);
}

async function argumentsOf(pid: number): Promise<string> {
  // No `ps` in slim containers, no /proc elsewhere.
  const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  if (args !== null) return args;
  return promisify(execFile)('ps', ['-p', String(pid), '-o', 'args=']).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

/** Stops a server: fast shutdown first, then immediate, then kill. Resolves when its process is gone. */
export async function stopPostmaster(pid: number, fastMs = 6000): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', fastMs],
    ['SIGQUIT', 3000],
    ['SIGKILL', 3000],
  ];
  for (const [signal, patienceMs] of steps) {
    if (!send(pid, signal)) return;
    for (let waited = 0; waited < patienceMs; waited += 25) {
      await delay(25);
      if (!send(pid, 0)) return;
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop; end it by hand`);
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
