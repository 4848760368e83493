// Plain JavaScript without dependencies: it also runs before anything is installed.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';

const GUARD_STALE_MS = 10_000;

/** A process is known by its id and the time it started, since ids are used again. null: no such process. */
export function processIdentity(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; only its parent has not looked yet.
    return fields[0] === 'Z' ? null : `${pid}:${fields[19]}`;
  } catch {
    if (process.platform === 'linux') return null;
  }
  try {
    const started = execFileSync('ps', ['-p', String(pid), '-o', 'lstart='], { encoding: 'utf8' }).trim();
    return started ? `${pid}:${started}` : null;
  } catch {
    return null;
  }
}

/**
 * Takes a lock file for this process. A lock whose process is gone counts for nothing.
 * Returns `{ release }`, or `{ holder: pid }` when a live process has it.
 */
export function tryLock(file) {
  const mine = processIdentity(process.pid);
  for (let tries = 0; tries < 50; tries += 1) {
    if (create(file, mine)) return { release: () => release(file, mine) };
    const text = read(file);
    const pid = Number((text ?? '').split(':')[0]);
    if (text && processIdentity(pid) === text) return { holder: pid };
    if (text !== null) removeStale(file, text);
  }
  throw new Error(`${file} can't be taken; remove it by hand when no other Tickmark runs`);
}

/** Waits for a lock; `onWait(pid)` is called once when somebody has it. Returns the function that gives it back. */
export async function waitForLock(file, onWait) {
  for (let told = false; ; ) {
    const lock = tryLock(file);
    if (lock.release) return lock.release;
    if (!told) onWait(lock.holder);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function create(file, text) {
  let handle;
  try {
    handle = openSync(file, 'wx', 0o600);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeSync(handle, text);
  closeSync(handle);
  return true;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

// Two processes may find the same stale lock, and the slower one must not remove the faster one's new lock: so the
// look and the removal happen under a guard of their own.
function removeStale(file, seen) {
  const guard = `${file}.guard`;
  if (!create(guard, String(process.pid))) {
    const age = ageMs(guard);
    if (age !== null && age > GUARD_STALE_MS) rmSync(guard, { force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    return;
  }
  try {
    // An empty file is a lock in the making, unless its maker died over it.
    if (read(file) === seen && (seen !== '' || (ageMs(file) ?? 0) > 2000)) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
  if (seen === '') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
}

function ageMs(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return null;
  }
}

function release(file, mine) {
  if (read(file) === mine) rmSync(file, { force: true });
}
