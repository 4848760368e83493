/**
 * Installs the packages of package-lock.json unless they are there. `dev`: test and build tools count as well; `folder`:
 * another one with a lock file of its own.
 */
export function ensureInstalled(options: { dev: boolean; folder?: string }): Promise<void>;
/** Names the first package that is not there in the version of the lock file; null when all are. */
export function findMissing(folder: string, dev: boolean): string | null;
