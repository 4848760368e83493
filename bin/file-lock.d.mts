/** A process is known by its id and the time it started, since ids are used again. null: no such process. */
export function processIdentity(pid: number): string | null;
/** Takes a lock file for this process, or says which live process has it. */
export function tryLock(
  file: string,
): { release: () => void; holder?: undefined } | { holder: number; release?: undefined };
/** Waits for a lock; `onWait(pid)` is called once when somebody has it. Resolves to the function that gives it back. */
export function waitForLock(file: string, onWait: (pid: number) => void): Promise<() => void>;
