import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readHostState } from './run-host-file';

const ended = { pid: 2 ** 22 + 1, startedAt: 'never' };

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function folderWith(record: unknown): { folder: string; file: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'tickmark-host-file-'));
  folders.push(folder);
  const file = path.join(folder, 'host.json');
  writeFileSync(file, JSON.stringify(record));
  return { folder, file };
}

test('a host that ended and left its claim behind has ended its run', async () => {
  for (const state of ['starting', 'running']) {
    const { folder } = folderWith({ state, host: ended });
    expect(await readHostState(folder)).toEqual({ kind: 'ended' });
  }
});

test('a claim that is withdrawn while it is read was never a run: the attempt may be submitted again', async () => {
  for (let round = 0; round < 200; round += 1) {
    const { folder, file } = folderWith({ state: 'starting', host: ended });
    const reading = readHostState(folder);
    rmSync(file);
    expect(await reading).toEqual({ kind: 'none' });
  }
});
