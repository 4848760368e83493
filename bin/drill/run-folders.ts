import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isAlive, ProcessIdentity } from '@/lib/process/identity';

/** How often the work of each attempt was begun, as the stand-in noted it. */
export async function countBegun(home: string): Promise<ReadonlyMap<string, number>> {
  const entries = (await attemptsOf(home)).map(async (attemptId) => {
    const text = await readRunFile(home, attemptId, 'begun', '');
    return [attemptId, text.split('\n').filter(Boolean).length] as const;
  });
  return new Map(await Promise.all(entries));
}

/** The processes that host runs now. */
export async function findLiveHosts(home: string): Promise<number[]> {
  const pids: number[] = [];
  for (const attemptId of await attemptsOf(home)) {
    const record = JSON.parse(await readRunFile(home, attemptId, 'host.json', '{}')) as { host?: unknown };
    const host = ProcessIdentity.safeParse(record.host).data;
    if (host && (await isAlive(host))) pids.push(host.pid);
  }
  return pids;
}

function attemptsOf(home: string): Promise<string[]> {
  return readdir(path.join(home, 'runs')).catch(() => []);
}

function readRunFile(home: string, attemptId: string, name: string, missing: string): Promise<string> {
  return readFile(path.join(home, 'runs', attemptId, name), 'utf8').catch(() => missing);
}
