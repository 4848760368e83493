import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { connectionSettings } from './connection-settings';
import { PatientPool } from './patient-pool';

/** A handle on the pool: each statement may run on another connection. */
export type Db = NodePgDatabase & { $client: pg.Pool };
/** A handle on one open transaction; made by `withTransaction` (lib/db/transaction.ts). */
export type Tx = PgDatabase<NodePgQueryResultHKT> & { $client?: never };
/** Either: a function that takes one joins the caller's transaction when it is given one. */
export type Queryable = Db | Tx;

/** Where a database is, and how to log in where passwords expire (lib/platform/database-credentials). */
export interface DatabaseAddress {
  readonly url: string;
  /** Asked for at each new connection, instead of a password in the URL. */
  readonly password?: () => Promise<string>;
  /** Told which password the server has refused. */
  readonly onRefused?: (password: string) => void;
}

/** A libpq URL is an address with a fixed password. */
export const addressOf = (database: string | DatabaseAddress): DatabaseAddress =>
  typeof database === 'string' ? { url: database } : database;

export interface DbOptions {
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Connections at most; default 10. */
  readonly max?: number;
  /** A statement that takes longer is ended by the server; default 30,000. */
  readonly statementTimeoutMs?: number;
  /** Told when an idle connection breaks; the pool replaces it by itself. */
  readonly onError?: (error: Error) => void;
}

/** A pool on Tickmark's schema. Connections are made when needed; `$client.end()` closes them. */
export function createDb(database: string | DatabaseAddress, options: DbOptions): Db {
  const { url, password, onRefused } = addressOf(database);
  const settings: pg.PoolConfig = {
    // What the queue touches is in memory or on flash; the default cost of 4, made for discs that turn, has groups of
    // rows looked up by reading whole tables instead of by key.
    ...connectionSettings(
      withSettings(url, {
        search_path: 'tickmark',
        random_page_cost: '1.1',
        // A statement whose client has died ends, also while it waits for a lock: no claim for a worker that is gone.
        client_connection_check_interval: '1000',
        // Whatever the role's or the database's default is: the claim locks, then counts (lib/queue/claim.sql).
        default_transaction_isolation: 'read\\ committed',
        // What we write leaves an event; triggers note what anybody else does (drizzle, `note_task_change`).
        'tickmark.writer': 'queue',
      }),
      password,
    ),
    application_name: options.applicationName,
    max: options.max ?? 10,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 30_000,
    // Below the hour for which a database token lives, so that a revoked one is noticed.
    maxLifetimeSeconds: 2_700,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    // A forgotten transaction stops vacuum and slows every claim.
    idle_in_transaction_session_timeout: 60_000,
  };
  // A server whose passwords expire is one that also sleeps, moves and restarts.
  const pool = password ? new PatientPool(settings, { password, onRefused }) : new pg.Pool(settings);
  // Without a listener a restart of the database would end this process, also through a connection in use.
  pool.on('error', (error) => options.onError?.(error));
  pool.on('connect', (client) => client.on('error', () => {}));
  return drizzle({ client: pool });
}

/** `url` with `search_path=tickmark` among its libpq options. */
export const withSearchPath = (url: string): string => withSettings(url, { search_path: 'tickmark' });

/** `url` with settings of the session, but for those that it has already; spaces in a value escaped as libpq asks. */
function withSettings(url: string, settings: Readonly<Record<string, string>>): string {
  const changed = new URL(url);
  const given = changed.searchParams.get('options') ?? '';
  const added = Object.entries(settings).flatMap(([name, value]) =>
    given.includes(name) ? [] : [`-c${name}=${value}`],
  );
  if (added.length === 0) return url;
  changed.searchParams.set('options', [given, ...added].filter(Boolean).join(' '));
  return changed.href;
}

const shared = globalThis as typeof globalThis & { tickmarkPools?: Map<string, Db> };

/** The one pool of this process for a database, however often a module is loaded again in development. */
export function sharedDb(database: string | DatabaseAddress, options: DbOptions): Db {
  shared.tickmarkPools ??= new Map();
  const key = `${options.applicationName} ${addressOf(database).url}`;
  const existing = shared.tickmarkPools.get(key);
  if (existing) return existing;
  const made = createDb(database, options);
  shared.tickmarkPools.set(key, made);
  return made;
}
