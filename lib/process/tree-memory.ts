import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Resident memory in bytes of a process and all that it started; 0 when it has ended. Resident and not the V8 heap:
 * what a PDF unpacks lies in buffers and WebAssembly memory outside the heap.
 */
export async function treeMemoryBytes(pid: number): Promise<number> {
  if (process.platform === 'linux') return memoryFromProc(pid);
  return memoryFromPs(pid);
}

async function memoryFromProc(pid: number): Promise<number> {
  const [own, children] = await Promise.all([residentBytes(pid), childrenOf(pid)]);
  const inner = await Promise.all(children.map(memoryFromProc));
  return inner.reduce((sum, bytes) => sum + bytes, own);
}

async function residentBytes(pid: number): Promise<number> {
  // In kB whatever the page size is, unlike statm.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes ? Number(kilobytes) * 1024 : 0;
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return lists
    .join(' ')
    .split(' ')
    .filter((child) => child.trim() !== '')
    .map(Number);
}

const run = promisify(execFile);

async function memoryFromPs(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,rss=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const sum = (of: number): number =>
    rows
      .filter(([, parent]) => parent === of)
      .reduce((total, [child]) => total + sum(child ?? -1), ownBytes(of));
  const ownBytes = (of: number) => (rows.find(([id]) => id === of)?.[2] ?? 0) * 1024;
  return sum(pid);
}
