import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { setLeftClusterAside } from './left-cluster';
import { makeReachableFolder } from './reachable-folder';
import { canReach, findServerUser, type ServerUser } from './server-user';
import { runAs } from './spawn-as';

/** `postgres.json` (mode 0600) of the data folder: where the cluster lies and how to get in. */
const PointerFile = z.object({
  /** Absolute path of a cluster outside the data folder; null = `postgres/` in it, so that the folder can be moved. */
  outside: z.string().nullable(),
  /** Set once there is a cluster: from then on a missing one is a loss and not a beginning. */
  complete: z.boolean(),
  superuserPassword: z.string(),
  password: z.string(),
});
type PointerFile = z.infer<typeof PointerFile>;

/** The cluster of a data folder. */
export interface Pointer extends PointerFile {
  /** Absolute path, wherever it lies. */
  readonly cluster: string;
}

/** The name of the role that owns the server; the product itself uses a lesser one. */
export const SUPERUSER = 'postgres';

/** Reads where the cluster of a data folder lies; null when there is none yet. */
export async function readPointer(home: string): Promise<Pointer | null> {
  const file = path.join(home, 'postgres.json');
  try {
    return located(home, PointerFile.parse(JSON.parse(await readFile(file, 'utf8'))));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${file} can't be read; restore it from a copy of the data folder`, { cause: error });
  }
}

/** The account for an existing cluster is its owner; for a new one the first that is fit. */
export async function clusterUser(home: string): Promise<ServerUser | null> {
  const pointer = await readPointer(home);
  const owner = pointer ? await stat(pointer.cluster).catch(() => null) : null;
  return findServerUser(owner?.uid);
}

/**
 * The cluster of a data folder, made when there is none. Each step can be interrupted and is taken again by the next
 * start: passwords are kept before they are used, and a cluster gets its final name only when it is complete.
 */
export async function prepareCluster(
  home: string,
  binaries: string,
  user: ServerUser | null,
  tell: (line: string) => void = () => {},
): Promise<Pointer> {
  const kept = await readPointer(home);
  let pointer = kept ?? (await makePointer(home, user));
  const aside = !kept && pointer.outside ? await setLeftClusterAside(home, pointer.outside) : null;
  if (aside) tell(`the data folder is new; the database of the one that was here before is kept in ${aside}`);
  const existing = await lstat(path.join(pointer.cluster, 'PG_VERSION')).catch(() => null);
  if (!existing) {
    if (pointer.complete) throw new Error(lostCluster(home, pointer.cluster));
    await initialise(pointer, binaries, user);
  } else if (!kept) await replacePassword(pointer, binaries, user);
  else if (pointer.outside === null && !(await canReach(home, user)))
    pointer = await moveOutside(home, pointer);
  if (!pointer.complete) pointer = await writePointer(home, { ...pointer, complete: true });
  await claimCluster(home, pointer);
  return pointer;
}

function lostCluster(home: string, cluster: string): string {
  return `the database of ${home} is not where it was, in ${cluster}: put it back, or remove ${home}/postgres.json to start with an empty one`;
}

function located(home: string, file: PointerFile): Pointer {
  return { ...file, cluster: file.outside ?? path.join(home, 'postgres') };
}

async function makePointer(home: string, user: ServerUser | null): Promise<Pointer> {
  return writePointer(home, {
    outside: (await canReach(home, user)) ? null : await placeOutside(home),
    complete: false,
    superuserPassword: randomBytes(24).toString('base64url'),
    password: randomBytes(24).toString('base64url'),
  });
}

async function writePointer(home: string, pointer: PointerFile): Promise<Pointer> {
  const content = PointerFile.parse(pointer);
  const draft = path.join(home, `postgres.json.${process.pid}`);
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path.join(home, 'postgres.json'));
  return located(home, content);
}

async function placeOutside(home: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(home))
    .digest('hex')
    .slice(0, 12);
  return path.join(await makeReachableFolder(`tickmark-data-${name}`, 0o711), 'postgres');
}

/** The data folder was moved, or closed, to where the server's account can't follow: its cluster goes elsewhere. */
async function moveOutside(home: string, pointer: Pointer): Promise<Pointer> {
  const outside = await placeOutside(home);
  const draft = `${outside}.draft`;
  await rm(draft, { recursive: true, force: true });
  // With owners and times, over the borders of file systems.
  await runAs(null, 'cp', ['-a', pointer.cluster, draft]);
  await rename(draft, outside);
  const moved = await writePointer(home, { ...pointer, outside });
  await rm(pointer.cluster, { recursive: true, force: true });
  return moved;
}

async function initialise(pointer: Pointer, binaries: string, user: ServerUser | null): Promise<void> {
  const parent = path.dirname(pointer.cluster);
  await removeDrafts(parent);
  const draft = await makeOwned(path.join(parent, `postgres.draft-${process.pid}`), user);
  const passwordFile = path.join(draft, 'password');
  const data = path.join(draft, 'data');
  await writeFile(passwordFile, `${pointer.superuserPassword}\n`, { mode: 0o600 });
  if (user) await chown(passwordFile, user.uid, user.gid);
  const options = [
    ...['-D', data, '-U', SUPERUSER, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256', '-E', 'UTF8'],
    // Built in, so that sorting and upper case do not depend on what languages the machine has.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ];
  await runAs(user, path.join(binaries, 'bin', 'initdb'), options);
  // An empty folder may stand there already; anything else in it is not ours to remove.
  await rename(data, pointer.cluster);
  await rm(draft, { recursive: true, force: true });
}

/** The pointer file was lost and its passwords with it: single-user mode asks for none. */
async function replacePassword(pointer: Pointer, binaries: string, user: ServerUser | null): Promise<void> {
  const statement = `alter role ${SUPERUSER} password '${pointer.superuserPassword}'\n`;
  const args = ['--single', '-D', pointer.cluster, 'postgres'];
  await runAs(user, path.join(binaries, 'bin', 'postgres'), args, statement);
}

async function removeDrafts(parent: string): Promise<void> {
  const names = await readdir(parent);
  for (const name of names.filter((entry) => entry.startsWith('postgres.draft-'))) {
    await rm(path.join(parent, name), { recursive: true, force: true });
  }
}

async function makeOwned(folder: string, user: ServerUser | null): Promise<string> {
  await mkdir(folder, { mode: 0o700 });
  await chmod(folder, 0o700);
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}

/**
 * Notes beside a cluster which data folder uses it, and refuses a copy of a data folder that points at the original's
 * cluster: two of them would share one database.
 */
export async function claimCluster(home: string, { outside }: Pointer): Promise<void> {
  // One inside was copied along with its folder.
  if (!outside) return;
  const here = await realpath(home);
  const note = `${outside}.home`;
  const owner = (await readFile(note, 'utf8').catch(() => '')).trim();
  if (owner === here) return;
  const other = owner ? await readPointer(owner).catch(() => null) : null;
  if (other?.outside === outside) {
    throw new Error(
      `the database of ${home} belongs to ${owner} (${outside}); a copied data folder needs its own: remove its postgres.json to start with an empty one`,
    );
  }
  await writeFile(note, `${here}\n`, { mode: 0o600 });
}
