import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleOptions } from './build-bundles.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NEEDED = {
  drill: 'bin/drill.ts',
  'drill-worker': 'bin/drill/worker-process.ts',
  'drill-agent': 'bin/drill/stand-in-agent.ts',
  host: 'agent/host.ts',
};

/** A checkout with what a drill needs. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tickmark-drill-test-'));
  for (const name of ['node_modules', 'drizzle'])
    await symlink(path.join(ROOT, name), path.join(folder, name));
  const entryPoints = Object.fromEntries(
    Object.entries(NEEDED).map(([name, source]) => [name, path.join(ROOT, source)]),
  );
  await build({ ...bundleOptions(path.join(folder, 'dist')), entryPoints });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function drill(...args: string[]) {
  const child = spawn(process.execPath, [path.join(folder, 'dist', 'drill.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code: code as number, stdout, stderr };
}

test('a drill with --json prints its name, promise, figure and verdict, and nothing else', async () => {
  const { code, stdout } = await drill('failure-then-success', '--json');
  expect(JSON.parse(stdout)).toEqual([
    {
      name: 'failure-then-success',
      promise: expect.stringMatching(/\.$/),
      measured: expect.stringContaining('3 tasks, 0 lost, 0 doubled'),
      pass: true,
    },
  ]);
  expect(code).toBe(0);
});

test('a drill that there is not is a mistake, and the answer names those that there are', async () => {
  const { code, stdout, stderr } = await drill('no-such-drill');
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('replica-frozen');
});
