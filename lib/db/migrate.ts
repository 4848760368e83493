import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { addressOf, type DatabaseAddress, withSearchPath } from './client';
import { connectionSettings } from './connection-settings';
import { MIGRATIONS_TABLE } from './schema-version';
import { seed } from './seed';

/** Any number, the same in every process that migrates. */
const MIGRATION_LOCK = 7_305_511_801;

/**
 * Brings a database up to this code's schema and seeds it. Safe when several processes start at once: one connection
 * holds a lock from the first look to the last statement, the others wait and then find nothing to do.
 * @param migrationsFolder the project's `drizzle/`
 */
export async function migrate(database: string | DatabaseAddress, migrationsFolder: string): Promise<void> {
  const { url, password } = addressOf(database);
  await password?.();
  const client = new pg.Client({
    ...connectionSettings(withSearchPath(url), password),
    application_name: 'tickmark migrate',
    connectionTimeoutMillis: 60_000,
    keepAlive: true,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    // A migration may wait for another one, but must not queue every reader up behind a lock it can't get.
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await client.query(`set lock_timeout = '10s'`);
    await client.query(`set client_min_messages = warning`);
    const db = drizzle({ client });
    await applyMigrations(db, {
      migrationsFolder,
      migrationsSchema: 'tickmark',
      migrationsTable: MIGRATIONS_TABLE,
    });
    await setRoleSearchPath(client);
    await seed(db);
  } finally {
    // Ending the session gives the lock back, also when the connection is already broken.
    await client.end().catch(() => {});
  }
}

/** Whoever signs in as this role, with psql or a report, finds the tables without naming the schema. */
async function setRoleSearchPath(client: pg.Client): Promise<void> {
  await client.query(/* sql */ `
    do $$
    begin
      if not exists (
        select from pg_db_role_setting s
        join pg_database d on d.oid = s.setdatabase and d.datname = current_database()
        join pg_roles r on r.oid = s.setrole and r.rolname = current_user
        where 'search_path=tickmark' = any(s.setconfig)
      ) then
        execute format('alter role %I in database %I set search_path = tickmark', current_user, current_database());
      end if;
    end $$`);
}
