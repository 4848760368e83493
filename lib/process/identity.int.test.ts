import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { exitOf } from '@/test/exit-of';
import { identityOf, isAlive, ownIdentity } from './identity';
import { treeMemoryBytes } from './tree-memory';

test('a process is known by its pid and its start, and not alive once it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const identity = await identityOf(child.pid ?? 0);
  if (!identity) throw new Error('no identity of a running process');
  expect(await isAlive(identity)).toBe(true);
  expect(await isAlive({ ...identity, startedAt: `${identity.startedAt}0` })).toBe(false);
  expect(identity).not.toEqual(await ownIdentity());
  child.kill('SIGKILL');
  await exitOf(child);
  expect(await isAlive(identity)).toBe(false);
  expect(await identityOf(child.pid ?? 0)).toBeNull();
});

test('memory is that of a process with all that it started', async () => {
  const script =
    "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }); console.log('started'); setInterval(() => {}, 1000)";
  const alone = spawn(process.execPath, ['-e', "console.log('started'); setInterval(() => {}, 1000)"], {
    detached: true,
  });
  const parent = spawn(process.execPath, ['-e', script], { detached: true });
  await Promise.all([once(alone.stdout, 'data'), once(parent.stdout, 'data')]);
  await expect
    .poll(async () => (await treeMemoryBytes(parent.pid ?? 0)) / (await treeMemoryBytes(alone.pid ?? 0)), {
      timeout: 30_000,
    })
    .toBeGreaterThan(1.5);
  for (const child of [alone, parent]) process.kill(-(child.pid ?? 0), 'SIGKILL');
  await exitOf(parent);
  expect(await treeMemoryBytes(parent.pid ?? 0)).toBe(0);
});
