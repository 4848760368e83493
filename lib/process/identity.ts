import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

/** A process for good: a pid is used again, a pid with its start is not. `startedAt` is opaque, only to be compared. */
export const ProcessIdentity = z.object({ pid: z.number().int().positive(), startedAt: z.string().min(1) });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** Who this process is. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  const identity = await identityOf(process.pid);
  if (!identity) throw new Error('the system does not show this process to itself');
  return identity;
}

/** The identity of a running process; `null` when there is none with this pid (a zombie has ended). */
export async function identityOf(pid: number): Promise<ProcessIdentity | null> {
  const startedAt = process.platform === 'linux' ? await startFromProc(pid) : await startFromPs(pid);
  return startedAt === null ? null : { pid, startedAt };
}

/** Whether exactly this process still runs. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identityOf(identity.pid))?.startedAt === identity.startedAt;
}

let bootId: Promise<string> | undefined;

/** Start in clock ticks since boot, hence with the boot's own id: ticks repeat after a restart of the machine. */
async function startFromProc(pid: number): Promise<string | null> {
  let stat: string;
  try {
    stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
  // The name stands in brackets and may hold anything, so fields are counted from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  if (!ticks || state === 'Z' || state === 'X') return null;
  bootId ??= readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (id) => id.trim(),
    () => 'unknown-boot',
  );
  return `${await bootId}:${ticks}`;
}

const run = promisify(execFile);

async function startFromPs(pid: number): Promise<string | null> {
  try {
    const { stdout } = await run('ps', ['-o', 'state=,lstart=', '-p', String(pid)]);
    const [state, ...start] = stdout.trim().split(/\s+/);
    return !state || state.startsWith('Z') ? null : start.join(' ');
  } catch (error) {
    // ps ends with 1 when there is no such process.
    if ((error as { code?: unknown }).code === 1) return null;
    throw error;
  }
}
