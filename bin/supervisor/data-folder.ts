import { access, chmod, constants, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '@/lib/process/make-folder';
import { EXIT, StartError } from './start-error';

const PRIVATE = ['documents', 'runs', 'slots', 'logs'];

/** Makes the data folder and proves that it can be written. Throws `StartError` that says what is in the way. */
export async function prepareDataFolder(home: string): Promise<void> {
  try {
    await makeFolder(home, 0o711);
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
    const info = await stat(home);
    // As root PostgreSQL runs under another account, which must pass through; it can't list what lies here.
    const isRoot = process.getuid?.() === 0;
    if (info.uid === process.getuid?.()) await chmod(home, isRoot ? 0o711 : 0o700);
    for (const name of PRIVATE) await mkdir(path.join(home, name), { recursive: true, mode: 0o700 });
    // Rights are one thing, a full or read-only disk another: only writing tells.
    const probe = path.join(home, `.probe-${process.pid}`);
    await writeFile(probe, Buffer.alloc(4096));
    await rm(probe);
  } catch (error) {
    throw new StartError(
      `TICKMARK_HOME: the data folder ${home} can't be used: ${reason(error as NodeJS.ErrnoException)}`,
      EXIT.dataFolder,
      { cause: error },
    );
  }
}

function reason(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
      return `this user may not write to ${error.path ?? 'it'}. Change its owner, or set TICKMARK_HOME to another folder`;
    case 'EROFS':
      return 'it lies on a read-only disk. Set TICKMARK_HOME to another folder';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full. Make room, or set TICKMARK_HOME to a folder on another disk';
    case 'ENOTDIR':
    case 'EEXIST':
      return `${error.path ?? 'a part of its path'} is a file, not a folder`;
    case 'ENOENT':
      return `${error.path ?? 'it'} can't be made there. Set TICKMARK_HOME to another folder`;
    default:
      return error.message;
  }
}
