import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { processIdentity, tryLock } from '../file-lock.mjs';
import { EXIT, StartError } from './start-error';

const Instance = z.object({
  url: z.string(),
  pid: z.number(),
  /** Process id and start time: an id alone may by now be another program's. */
  identity: z.string(),
  state: z.enum(['starting', 'ready', 'stopping']),
  startedAt: z.string(),
  databaseUrl: z.string().nullable(),
});
/** `instance.json` (mode 0600) of the data folder: the running Tickmark. */
export type Instance = z.infer<typeof Instance>;

const STOP_PATIENCE_MS = 15_000;

/** The live instance on a data folder, or null; one left by a killed start counts for nothing. */
export async function readInstance(home: string): Promise<Instance | null> {
  const text = await readFile(path.join(home, 'instance.json'), 'utf8').catch(() => null);
  if (text === null) return null;
  const parsed = Instance.safeParse(parseJson(text));
  if (!parsed.success) return null;
  return processIdentity(parsed.data.pid) === parsed.data.identity ? parsed.data : null;
}

/** Replaces `instance.json` in one step. */
export async function writeInstance(
  home: string,
  instance: Omit<Instance, 'pid' | 'identity'>,
): Promise<void> {
  const identity = processIdentity(process.pid) ?? '';
  const draft = path.join(home, `instance.json.${process.pid}`);
  const content: Instance = { ...instance, pid: process.pid, identity };
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path.join(home, 'instance.json'));
}

export async function removeInstance(home: string): Promise<void> {
  await rm(path.join(home, 'instance.json'), { force: true });
}

/** True when the last instance on this data folder did not end by itself; asked before a new one is noted. */
export async function wasKilled(home: string): Promise<boolean> {
  const left = await readFile(path.join(home, 'instance.json')).catch(() => null);
  return left !== null && (await readInstance(home)) === null;
}

/**
 * Takes the data folder for this process; resolves to what gives it back. Waits for an instance that is stopping.
 * Throws `StartError` with exit code 3 when another one runs.
 */
export async function takeDataFolder(home: string): Promise<() => void> {
  const file = path.join(home, 'instance.lock');
  for (const deadline = Date.now() + STOP_PATIENCE_MS; ; ) {
    const lock = tryLock(file);
    if (lock.release) return lock.release;
    const other = await readInstance(home);
    const stopping = other === null || other.state === 'stopping';
    if (!stopping || Date.now() > deadline) throw alreadyRunning(home, lock.holder, other);
    await delay(100);
  }
}

function alreadyRunning(home: string, pid: number, other: Instance | null): StartError {
  const whose = `(process ${pid}, data folder ${home})`;
  if (other?.state === 'ready')
    return new StartError(`already running at ${other.url} ${whose}`, EXIT.alreadyRunning);
  const doing = other?.state === 'stopping' ? 'still stopping' : 'already starting';
  return new StartError(`another Tickmark is ${doing} ${whose}`, EXIT.alreadyRunning);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
