import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '@/bin/root.mjs';

const run = promisify(execFile);

it('the bench measures Tickmark and hand-written SQL without any of the packages it measures against', async () => {
  const args = [
    'throughput',
    '--rounds',
    '1',
    '--tasks',
    '600',
    '--batch',
    '100',
    '--connections',
    '2',
    '--json',
  ];
  const only = ['--only', '^(Tickmark|raw floor with).* 1 process'];
  const { stdout } = await run(process.execPath, [path.join(root, 'dist', 'bench.mjs'), ...args, ...only]);
  const { parts, commit, machine } = JSON.parse(stdout);
  expect(commit).toBeTruthy();
  expect(machine).toContain('cores');
  const [{ rows, leftOut }] = parts;
  expect(leftOut).toEqual([]);
  expect(rows.map(({ row }: { row: string }) => row)).toEqual([
    'Tickmark, 1 process',
    'raw floor with every feature, 1 process',
  ]);
  for (const { figures } of rows) expect(figures.perSecond.median).toBeGreaterThan(0);
}, 180_000);
