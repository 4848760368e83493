import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processIdentity, tryLock } from './file-lock.mjs';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tickmark-lock-'));
  file = path.join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a lock of a live process is respected, and free again once it is given back', () => {
  const first = tryLock(file);
  expect(tryLock(file)).toEqual({ holder: process.pid });
  first.release?.();
  const again = tryLock(file);
  expect(again.release).toBeDefined();
  again.release?.();
});

test('a lock of a process that is gone, or whose id is by now another one, counts for nothing', () => {
  for (const stale of ['999999999:1', `${process.pid}:long-ago`, 'nonsense']) {
    writeFileSync(file, stale);
    tryLock(file).release?.();
  }
  expect(() => readFileSync(file)).toThrow(/ENOENT/);
});

test('of many processes that find a stale lock at once, one at a time gets it', async () => {
  writeFileSync(file, '999999999:1');
  const script = `
    import { mkdirSync, rmdirSync } from 'node:fs';
    import { waitForLock } from ${JSON.stringify(new URL('./file-lock.mjs', import.meta.url).href)};
    for (let round = 0; round < 5; round += 1) {
      const release = await waitForLock(${JSON.stringify(file)}, () => {});
      mkdirSync(${JSON.stringify(`${file}.inside`)});
      await new Promise((resolve) => setTimeout(resolve, 5));
      rmdirSync(${JSON.stringify(`${file}.inside`)});
      release();
    }`;
  const runs = Array.from({ length: 6 }, async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    return code as number;
  });
  expect(await Promise.all(runs)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('this process has an identity, one that never was has none', () => {
  expect(processIdentity(process.pid)).toMatch(new RegExp(`^${process.pid}:`));
  expect(processIdentity(999_999_999)).toBeNull();
});
