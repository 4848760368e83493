/** Installs the packages of package-lock.json unless they are there. `dev`: test and build tools count as well. */
export function ensureInstalled(options: { dev: boolean }): Promise<void>;
/** Names the first package that is not there in the version of the lock file; null when all are. */
export function findMissing(folder: string, dev: boolean): string | null;
