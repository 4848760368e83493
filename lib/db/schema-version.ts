import journal from '@/drizzle/meta/_journal.json';

/** The newest migration this code knows, as its entry in `schema_migrations` says it. */
export const SCHEMA_VERSION: number = Math.max(...journal.entries.map((entry) => entry.when));

/** Where the migrations that were applied are noted, in schema `tickmark`. */
export const MIGRATIONS_TABLE = 'schema_migrations';
