import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** The unprivileged account that runs the server when we are root, which PostgreSQL refuses to be. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const ACCOUNTS = ['postgres', 'nobody', 'daemon'];

/**
 * The account to run PostgreSQL under, or null when this process may run it itself.
 * @param ownerUid who owns an existing cluster: that account is kept
 */
export async function findServerUser(ownerUid?: number): Promise<ServerUser | null> {
  if (process.getuid?.() !== 0) return null;
  // initdb looks its own name up, so the account must have an entry here; a bare number would not do.
  const accounts = parseAccounts(await readFile('/etc/passwd', 'utf8'));
  const owner = accounts.find((account) => account.uid === ownerUid && account.uid !== 0);
  const known = ACCOUNTS.map((name) => accounts.find((account) => account.name === name));
  const found = owner ?? known.find(Boolean) ?? accounts.find((account) => account.uid !== 0);
  if (!found) {
    throw new Error(
      'PostgreSQL does not run as root and /etc/passwd has no other account: add a user "postgres", or set DATABASE_URL',
    );
  }
  return found;
}

function parseAccounts(passwd: string): ServerUser[] {
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((account) => account.name && Number.isInteger(account.uid) && Number.isInteger(account.gid));
}

/** True when `user` may pass through every folder from the root down to and including `folder`. */
export async function canReach(folder: string, user: ServerUser | null): Promise<boolean> {
  if (!user) return true;
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const info = await stat(at).catch(() => null);
    if (info && !mayPass(info, user)) return false;
    if (at === path.dirname(at)) return true;
  }
}

function mayPass(info: { uid: number; gid: number; mode: number }, user: ServerUser): boolean {
  if (info.uid === user.uid) return (info.mode & 0o100) !== 0;
  if (info.gid === user.gid) return (info.mode & 0o010) !== 0;
  return (info.mode & 0o001) !== 0;
}
