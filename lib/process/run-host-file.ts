import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isAlive, ownIdentity, ProcessIdentity } from './identity';
import { createFileWhole, writeFileWhole } from './write-file-whole';

/**
 * `runs/<attemptId>/host.json`: which process hosts the run. Created once and kept, so that an attempt is never
 * hosted twice, also after its host has died. `barred` stands where a run was cancelled before it had a host.
 */
const HostRecord = z.discriminatedUnion('state', [
  z.object({ state: z.literal('starting'), host: ProcessIdentity }),
  z.object({ state: z.literal('running'), host: ProcessIdentity }),
  z.object({ state: z.literal('barred') }),
]);

/** An agent of another author: the program to start with the path of `input.json` as its last argument. */
export const ProgramOrder = z.object({ command: z.array(z.string()).min(1), folder: z.string() });
export type ProgramOrder = z.infer<typeof ProgramOrder>;

/** What a host is told on its command line, as JSON. Nothing in it is secret. */
export const HostOrder = z.object({
  inputPath: z.string(),
  /** The script that reads the document, started as the host's child. */
  agentScript: z.string(),
  /** The script that starts a program in its place, and the programs by the id of their agent. */
  programScript: z.string(),
  programs: z.record(z.string(), ProgramOrder),
  slotsFolder: z.string(),
  slots: z.number().int().positive(),
});
export type HostOrder = z.infer<typeof HostOrder>;

/** How a host ends that did not begin: surely nothing was run. */
export const HOST_EXIT = { full: 75, taken: 76, badInput: 78 } as const;

/** Who hosts the run now. `ended`: it had a host, which is gone, or it is barred. */
export type HostState =
  | { readonly kind: 'none' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly host: ProcessIdentity }
  | { readonly kind: 'ended' };

/** Reads the state of a run's host from the run's folder. */
export async function readHostState(runFolder: string): Promise<HostState> {
  const content = await readHostFile(runFolder);
  if (content === null) return { kind: 'none' };
  const record = HostRecord.parse(JSON.parse(content));
  if (record.state === 'barred') return { kind: 'ended' };
  if (await isAlive(record.host)) {
    return record.state === 'running' ? { kind: 'running', host: record.host } : { kind: 'starting' };
  }
  // A host that found no slot withdraws its claim and ends: between our reading and our asking it may have done both,
  // and then nothing was run. What it left behind decides.
  return (await readHostFile(runFolder)) === content ? { kind: 'ended' } : readHostState(runFolder);
}

async function readHostFile(runFolder: string): Promise<string | null> {
  return readFile(hostFile(runFolder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Makes this process the run's host; `false` when the run has or had one. */
export async function claimHosting(runFolder: string): Promise<boolean> {
  return create(runFolder, { state: 'starting', host: await ownIdentity() });
}

/** Says that the run has begun; from now on it counts as submitted. */
export async function confirmHosting(runFolder: string): Promise<void> {
  const record: z.infer<typeof HostRecord> = { state: 'running', host: await ownIdentity() };
  await writeFileWhole(hostFile(runFolder), JSON.stringify(record));
}

/** Gives an unconfirmed claim back, as if it had never been. */
export async function withdrawHosting(runFolder: string): Promise<void> {
  await rm(hostFile(runFolder), { force: true });
}

/** Makes sure that a run without a host never gets one; `false` when it has or had one. */
export async function barHosting(runFolder: string): Promise<boolean> {
  return create(runFolder, { state: 'barred' });
}

function create(runFolder: string, record: z.infer<typeof HostRecord>): Promise<boolean> {
  return createFileWhole(hostFile(runFolder), JSON.stringify(record));
}

function hostFile(runFolder: string): string {
  return path.join(runFolder, 'host.json');
}
