import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPointer } from './cluster';
import { findPostmaster, stopPostmaster } from './postmaster';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './server';

let folder: string;
let running: EmbeddedPostgres[] = [];
const isRoot = process.getuid?.() === 0;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tickmark-pg-'));
  await chmod(folder, 0o711);
});

afterEach(async () => {
  for (const server of running) await server.stop(0);
  running = [];
  const outside = (await readPointer(folder).catch(() => null))?.cluster;
  if (outside && !outside.startsWith(folder))
    await rm(path.dirname(outside), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

async function start(home = folder): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ home, logFile: path.join(home, 'postgres.log') });
  running.push(server);
  return server;
}

async function query<T>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows as T[];
  } finally {
    await client.end();
  }
}

const remember = (url: string) => query(url, 'create table public.kept as select 42 as answer');
const recall = async (url: string) =>
  (await query<{ answer: number }>(url, 'select answer from public.kept'))[0]?.answer;

describe('the server that comes with the package', () => {
  test('gives the product a role that is no superuser and a UTF8 database of its own', async () => {
    const server = await start();
    const [row] = await query(
      server.url,
      `select current_user as role, current_database() as database, rolsuper as super,
              pg_encoding_to_char(encoding) as encoding, lower('ÄÖÜ') as lower, current_setting('search_path') as path
       from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    );
    const expected = { role: 'tickmark', database: 'tickmark', super: false, encoding: 'UTF8', lower: 'äöü' };
    expect(row).toMatchObject({ ...expected, path: 'tickmark' });
  });

  test('refuses a wrong password and listens on this machine alone', async () => {
    const server = await start();
    const wrong = server.url.replace(/:[^:@]+@/, ':guess@');
    await expect(query(wrong, 'select 1')).rejects.toThrow(/password authentication failed/);
    const [row] = await query<{ listen_addresses: string }>(server.url, 'show listen_addresses');
    expect(row?.listen_addresses).toBe('127.0.0.1');
  });

  test('a server that a killed start left behind is replaced, and nothing is lost', async () => {
    const orphan = await start();
    await remember(orphan.url);
    const next = await start();
    expect(next.pid).not.toBe(orphan.pid);
    await orphan.exited;
    expect(await recall(next.url)).toBe(42);
  });

  test('a server killed with -9 recovers at the next start', async () => {
    const first = await start();
    await remember(first.url);
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    expect(await recall((await start()).url)).toBe(42);
  });

  test('an initdb that was cut short is done again', async () => {
    const file = { outside: null, complete: false, superuserPassword: 'kept-before', password: 'it-is-used' };
    await writeFile(path.join(folder, 'postgres.json'), JSON.stringify(file));
    await mkdir(path.join(folder, 'postgres.draft-123', 'data', 'base'), { recursive: true });
    await writeFile(path.join(folder, 'postgres.draft-123', 'data', 'PG_VERSION'), '18\n');
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a lock file whose process id is by now another program does not keep it from starting', async () => {
    const first = await start();
    await remember(first.url);
    await first.stop(0);
    const pointer = await readPointer(folder);
    await writeFile(
      path.join(pointer?.cluster ?? '', 'postmaster.pid'),
      `${process.pid}\n${pointer?.cluster}\n`,
    );
    expect(await recall((await start()).url)).toBe(42);
  });

  test('a cluster that is gone is a loss that is told, not an empty beginning', async () => {
    const first = await start();
    await first.stop(0);
    await rm(path.join(folder, 'postgres'), { recursive: true });
    await expect(start()).rejects.toThrow(/is not where it was/);
  });

  test('a data folder can be moved, even away from under a server that a killed start left behind', async () => {
    const first = await start();
    await remember(first.url);
    const moved = path.join(folder, 'moved');
    await mkdir(moved);
    for (const name of ['postgres', 'postgres.json'])
      await rename(path.join(folder, name), path.join(moved, name));
    expect(await recall((await start(moved)).url)).toBe(42);
    await first.exited;
  });

  test('a lost password file is made anew for the same data', async () => {
    const first = await start();
    await remember(first.url);
    await rm(path.join(folder, 'postgres.json'));
    expect(await recall((await start()).url)).toBe(42);
  });
});

describe.runIf(isRoot)('as root, below a folder that nobody else can enter', () => {
  test('the cluster lies where the server can reach it, and is found again', async () => {
    await chmod(folder, 0o700);
    const first = await start();
    await remember(first.url);
    await first.stop(0);
    const pointer = await readPointer(folder);
    expect(pointer?.outside).toBe(pointer?.cluster);
    expect(await recall((await start()).url)).toBe(42);
  });

  test('a data folder that was removed leaves its database aside, and a new one begins empty', async () => {
    await chmod(folder, 0o700);
    await remember((await start()).url);
    const [left] = running;
    const cluster = (await readPointer(folder))?.cluster ?? '';
    await rm(folder, { recursive: true });
    await mkdir(folder, { mode: 0o700 });
    const told: string[] = [];
    const options = { home: folder, logFile: path.join(folder, 'postgres.log') };
    const next = await startEmbeddedPostgres({ ...options, tell: (line) => told.push(line) });
    running.push(next);
    await left?.exited;
    expect(await query(next.url, "select to_regclass('public.kept') as kept")).toEqual([{ kept: null }]);
    const aside = (await readdir(path.dirname(cluster))).filter((name) => name.startsWith('postgres-left-'));
    expect(aside).toHaveLength(1);
    expect(told.join()).toContain(aside[0]);
  });

  test('a lost password file does not cost a data folder in use its database', async () => {
    await chmod(folder, 0o700);
    const first = await start();
    await remember(first.url);
    await first.stop(0);
    await writeFile(path.join(folder, 'secrets.json'), '{}');
    await rm(path.join(folder, 'postgres.json'));
    expect(await recall((await start()).url)).toBe(42);
  });

  test('a data folder that is closed later keeps its data', async () => {
    await remember((await start()).url);
    await chmod(folder, 0o700);
    expect(await recall((await start()).url)).toBe(42);
    expect((await readPointer(folder))?.outside).not.toBeNull();
  });

  test('a copy of the data folder does not take over the database of the original', async () => {
    await chmod(folder, 0o700);
    const first = await start();
    const copy = `${folder}-copy`;
    await cp(folder, copy, { recursive: true });
    try {
      await expect(start(copy)).rejects.toThrow(/belongs to/);
      expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  });
});

test('a process that does not listen is not taken for a server', async () => {
  const cluster = path.join(folder, 'nothing');
  expect(await findPostmaster(cluster)).toBeNull();
  await expect(stopPostmaster(2 ** 30, 0)).resolves.toBeUndefined();
});
