import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '@/lib/embedded-postgres/server';
import { removeLeftovers, removeTestHome, testHome } from './leftovers';
import { createTemplate } from './template';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the run's server, as the role that may create databases. */
    serverUrl: string;
    /** Database that each test file's own is copied from. */
    template: string;
  }
}

/** One PostgreSQL per test run, without the disk's guarantees, in a folder that goes away with it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const home = testHome();
  await removeTestHome(home);
  await mkdir(home, { mode: 0o711 });
  const server = await startEmbeddedPostgres({
    home,
    logFile: path.join(home, 'postgres.log'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' },
  });
  // Vitest's own teardown does not run on every way out; what is left after a kill -9 the next run removes.
  process.once('exit', () => {
    try {
      process.kill(server.pid, 'SIGQUIT');
    } catch {
      return;
    }
    rmSync(home, { recursive: true, force: true });
  });
  project.provide('serverUrl', server.url);
  project.provide('template', await createTemplate(server.url));
  return async () => {
    await removeTestHome(home);
  };
}
