import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { prepareDataFolder } from './data-folder';

test('the data folder is made with all folders above it', async () => {
  const top = await mkdtemp(path.join(tmpdir(), 'tickmark-folder-'));
  try {
    const home = path.join(top, 'a', 'b', 'home');
    await prepareDataFolder(home);
    await prepareDataFolder(home);
    expect((await stat(path.join(home, 'documents'))).mode & 0o777).toBe(0o700);
  } finally {
    await rm(top, { recursive: true });
  }
});

test.runIf(process.platform === 'linux').each(['/proc/tickmark', '/proc/tickmark/home', '/dev/null/home'])(
  'a data folder that can never be made (%s) is refused at once, by name',
  async (home) => {
    await expect(prepareDataFolder(home)).rejects.toThrow(
      `TICKMARK_HOME: the data folder ${home} can't be used: `,
    );
  },
);
