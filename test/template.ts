import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '@/lib/db/migrate';

const MIGRATIONS = fileURLToPath(new URL('../drizzle', import.meta.url));

/** The same server's connection string with another database in it. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Makes the database that each test file gets a copy of, named by the migrations it holds. */
export async function createTemplate(serverUrl: string): Promise<string> {
  const name = `template_${await migrationsHash()}`;
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  try {
    await server.query(`create database ${name}`);
    await migrate(withDatabase(serverUrl, name), MIGRATIONS);
    // A template must have no session when it is copied.
    await server.query(`alter database ${name} allow_connections false`);
  } finally {
    await server.end();
  }
  return name;
}

async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(MIGRATIONS)).sort()) {
    if (name.endsWith('.sql')) hash.update(await readFile(path.join(MIGRATIONS, name)));
  }
  return hash.digest('hex').slice(0, 16);
}
