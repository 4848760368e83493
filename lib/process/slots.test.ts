import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownIdentity } from './identity';
import { countFreeSlots, type Holder, listHolders, takeSlot } from './slots';

let folder: string;
let me: Holder;
const gone: Holder = { pid: 1, startedAt: 'another boot:1', purpose: 'long gone' };
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tickmark-slots-'));
  me = { ...(await ownIdentity()), purpose: 'test' };
});
afterEach(() => rm(folder, { recursive: true }));

const takeMany = (slots: number, times: number) =>
  Promise.all(Array.from({ length: times }, () => takeSlot(folder, slots, me)));
const taken = (results: (number | null)[]) => results.filter((slot) => slot !== null);

test('of many that take at once as many get a slot as there are', async () => {
  const results = taken(await takeMany(3, 30));
  expect(results.length).toBeLessThanOrEqual(3);
  expect(new Set(results).size).toBe(results.length);
  // Whoever lost a race may have to ask again, but never is a slot given twice or left over.
  expect([...results, ...taken(await takeMany(3, 1)), ...taken(await takeMany(3, 1))].length).toBe(3);
  expect(await countFreeSlots(folder, 3)).toBe(0);
});

test('the slot of a process that has ended is free, and is taken over once', async () => {
  await writeFile(path.join(folder, '1.7'), JSON.stringify(gone));
  expect(await countFreeSlots(folder, 1)).toBe(1);
  expect(taken(await takeMany(1, 20))).toEqual([1]);
  expect(await readdir(folder)).toEqual(['1.8']);
});

test('who decided on an old reading gives way to a higher generation', async () => {
  await writeFile(path.join(folder, '1.9'), JSON.stringify(me));
  // As if 1.3 had been read as free a long time ago: its next generation is still free to create.
  await writeFile(path.join(folder, '1.3'), JSON.stringify(gone));
  expect(await takeSlot(folder, 1, me)).toBeNull();
  expect((await listHolders(folder)).map(({ purpose }) => purpose)).toEqual(['test']);
});

test('fewer slots than before: those held count, and nothing is given until they are free', async () => {
  await takeMany(4, 4);
  await takeMany(4, 4);
  expect(await countFreeSlots(folder, 2)).toBe(0);
  expect(await takeSlot(folder, 2, me)).toBeNull();
});

test('files that are no slots, or broken ones, hold nothing', async () => {
  await writeFile(path.join(folder, 'notes.txt'), 'x');
  await writeFile(path.join(folder, '1.1'), '{"pid":');
  expect(await countFreeSlots(folder, 1)).toBe(1);
  expect(await takeSlot(folder, 1, me)).toBe(1);
  expect(await countFreeSlots(path.join(folder, 'missing'), 5)).toBe(5);
});
