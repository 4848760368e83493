import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, stat, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { prepareBinaries } from './binaries';
import { claimCluster, clusterUser, type Pointer, prepareCluster, readPointer, SUPERUSER } from './cluster';
import { connection, DATABASE, ensureDatabase, ROLE, waitUntilReady } from './own-database';
import { findPostmaster, stopPostmaster } from './postmaster';
import { spawnOptions } from './spawn-as';

/** A running server on 127.0.0.1. */
export interface EmbeddedPostgres {
  /** Connection string of role and database `tickmark`. */
  readonly url: string;
  /** Connection string of the superuser, for maintenance and tests. */
  readonly superuserUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server's process has ended, asked or not. */
  readonly exited: Promise<void>;
  /** Fast shutdown, immediate after `graceMs` (default 6 s); resolves when the process is gone. */
  stop(graceMs?: number): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The data folder; it must exist and only one process may use it at a time. */
  readonly home: string;
  /** File that the server writes its log to. */
  readonly logFile: string;
  /** Unset: a free one. */
  readonly port?: number;
  /** Server settings, such as `{fsync: 'off'}`. */
  readonly settings?: Record<string, string>;
  /** Told in words of what a person should know about the data. */
  readonly tell?: (line: string) => void;
}

const LOG_BYTES = 10 * 1024 * 1024;

/**
 * Starts PostgreSQL from the installed package on the data folder, making its cluster when there is none. A server
 * that a killed start left behind is stopped first. Throws with words for the person who started it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const user = await clusterUser(options.home);
  const binaries = await prepareBinaries(user);
  // First of all: nothing may be done to a cluster that still has a server.
  await stopOrphan(options.home);
  const pointer = await prepareCluster(options.home, binaries, user, options.tell);
  await keepLogSmall(options.logFile);
  for (let tries = 1; ; tries += 1) {
    const port = options.port ?? (await freePort());
    const logStart = (await stat(options.logFile).catch(() => null))?.size ?? 0;
    const child = launch(path.join(binaries, 'bin', 'postgres'), pointer, port, user, options);
    const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
    try {
      await waitUntilReady(connection(pointer, port, SUPERUSER, 'postgres'), child);
      await ensureDatabase(pointer, port);
      return running(pointer, port, child, exited);
    } catch (error) {
      if (child.pid && child.exitCode === null) await stopPostmaster(child.pid).catch(() => {});
      // Somebody may take a free port between our look and the server's: only a new look helps.
      const words = await complaints(options.logFile, logStart);
      if (/Address already in use/.test(words) && options.port === undefined && tries < 5) continue;
      throw new Error(`PostgreSQL did not start: ${words || (error as Error).message}`, { cause: error });
    }
  }
}

async function stopOrphan(home: string): Promise<void> {
  const kept = await readPointer(home);
  // In a copied data folder it would be the original's server.
  if (kept) await claimCluster(home, kept);
  const orphan = await findPostmaster(kept?.cluster ?? path.join(home, 'postgres'));
  if (orphan) await stopPostmaster(orphan);
}

function launch(
  program: string,
  pointer: Pointer,
  port: number,
  user: Parameters<typeof spawnOptions>[0],
  options: EmbeddedPostgresOptions,
): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // Unlike the default it survives a /dev/shm of 64 MB, which is what containers have.
    dynamic_shared_memory_type: 'mmap',
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(options.logFile, 'a', 0o600);
  try {
    // A session of its own: Ctrl-C in the terminal must reach the supervisor alone, which stops the server last.
    return spawn(program, ['-D', pointer.cluster, '-p', String(port), ...args], {
      ...spawnOptions(user),
      detached: true,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

function running(
  pointer: Pointer,
  port: number,
  child: ChildProcess,
  exited: Promise<void>,
): EmbeddedPostgres {
  const pid = child.pid ?? 0;
  return {
    url: connection(pointer, port, ROLE, DATABASE),
    superuserUrl: connection(pointer, port, SUPERUSER, 'postgres'),
    port,
    pid,
    exited,
    stop: async (graceMs) => {
      if (child.exitCode === null && child.signalCode === null) await stopPostmaster(pid, graceMs);
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === 'string') throw new Error('no free port on 127.0.0.1');
  return address.port;
}

async function keepLogSmall(file: string): Promise<void> {
  const info = await stat(file).catch(() => null);
  if (info && info.size > LOG_BYTES) await truncate(file);
}

/** What the server wrote about its failure since `start` (bytes into its log). */
async function complaints(file: string, start: number): Promise<string> {
  const text = await readFile(file).catch(() => Buffer.alloc(0));
  const lines = text.subarray(start).toString('utf8').trim().split('\n');
  return lines
    .filter((line) => /FATAL|PANIC|ERROR|could not|error while loading/.test(line))
    .slice(-3)
    .join(' · ');
}
