import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isAlive, ProcessIdentity } from './identity';
import { createFileWhole } from './write-file-whole';

/**
 * Numbered places for processes of this machine, kept as files, with no server and nothing to clean up after a crash.
 *
 * A slot is `<number>.<generation>` and belongs to the process named in the file of its highest generation, for as
 * long as that process lives. A free slot is taken by creating the next generation, which one process alone can do.
 * Only then is the older file removed, so whoever decided on an old reading meets a higher generation and gives way.
 */
interface Slot {
  readonly number: number;
  readonly generation: number;
  readonly file: string;
}

/** Who holds a slot, and what for. */
const Holder = ProcessIdentity.extend({ purpose: z.string() });
export type Holder = z.infer<typeof Holder>;

/** How many of `slots` places are held by no living process now. */
export async function countFreeSlots(folder: string, slots: number): Promise<number> {
  return Math.max(0, slots - (await listHolders(folder)).length);
}

/** Who holds a slot now. */
export async function listHolders(folder: string): Promise<Holder[]> {
  const holders = await Promise.all((await readCurrent(folder)).map(holderOf));
  return holders.filter((holder) => holder !== null);
}

/** Takes one of `slots` places until `owner` ends; `null` when all are held. */
export async function takeSlot(folder: string, slots: number, owner: Holder): Promise<number | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let number = 1; number <= slots; number += 1) {
    if (await takeNumber(folder, number, owner)) return number;
  }
  return null;
}

async function takeNumber(folder: string, number: number, owner: Holder): Promise<boolean> {
  const before = (await readCurrent(folder)).find((slot) => slot.number === number);
  if (before && (await holderOf(before))) return false;
  const mine: Slot = slotAt(folder, number, (before?.generation ?? 0) + 1);
  if (!(await createFileWhole(mine.file, JSON.stringify(owner)))) return false;
  const current = (await readCurrent(folder)).find((slot) => slot.number === number);
  if (current?.generation !== mine.generation) {
    await rm(mine.file, { force: true });
    return false;
  }
  if (before) await rm(before.file, { force: true });
  return true;
}

/** The highest generation of each number. */
async function readCurrent(folder: string): Promise<Slot[]> {
  const current = new Map<number, Slot>();
  for (const name of await readdir(folder).catch(whenMissing)) {
    const parts = /^(\d{1,4})\.(\d{1,15})$/.exec(name);
    if (!parts) continue;
    const slot = slotAt(folder, Number(parts[1]), Number(parts[2]));
    if (slot.generation > (current.get(slot.number)?.generation ?? 0)) current.set(slot.number, slot);
  }
  return [...current.values()];
}

function slotAt(folder: string, number: number, generation: number): Slot {
  return {
    number,
    generation,
    file: path.join(/* turbopackIgnore: true */ folder, `${number}.${generation}`),
  };
}

/** `null` when its holder has ended. */
async function holderOf(slot: Slot): Promise<Holder | null> {
  const content = await readFile(slot.file, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (content === null) {
    // Removed between listing and reading: a higher generation has taken its place.
    const next = (await readCurrent(path.dirname(slot.file))).find(({ number }) => number === slot.number);
    return next && next.generation > slot.generation ? holderOf(next) : null;
  }
  const holder = Holder.safeParse(parse(content));
  return holder.success && (await isAlive(holder.data)) ? holder.data : null;
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

function whenMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
