import 'server-only';
import { sql } from 'drizzle-orm';
import type { DatabaseHealth, Snapshot, TableHealth } from '@/lib/contract/api-health';
import type { Db } from '@/lib/db/client';
import { readSchemaVersion } from '@/lib/db/wait-for-schema';
import { isoInstant } from './sql-values';

const TABLES_SHOWN = 12;

interface ServerRow extends Record<string, unknown> {
  version: string;
  size_bytes: string;
  connections: number;
  max_connections: number;
}

interface TableRow extends Record<string, unknown> {
  name: string;
  live_rows: string;
  dead_rows: string;
  total_bytes: string;
  index_bytes: string;
  vacuumed_at: string | null;
}

interface SnapshotRow extends Record<string, unknown> {
  pid: number;
  application: string;
  user: string;
  state: string;
  age_seconds: number;
}

/** Size, connections, dead rows and the oldest snapshot, from the server's own statistics; no table is read. */
export async function readDatabaseHealth(db: Db): Promise<DatabaseHealth> {
  const [schemaVersion, server, tables, oldestSnapshot] = await Promise.all([
    readSchemaVersion(db),
    readServer(db),
    readTables(db),
    readOldestSnapshot(db),
  ]);
  return { ...server, schemaVersion, tables, oldestSnapshot };
}

async function readServer(
  db: Db,
): Promise<Pick<DatabaseHealth, 'version' | 'sizeBytes' | 'connections' | 'maxConnections'>> {
  const { rows } = await db.execute<ServerRow>(sql`
    /* dashboard.health_server */
    select current_setting('server_version') as version, pg_database_size(current_database())::text as size_bytes,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as max_connections`);
  const row = rows[0];
  if (!row) throw new Error('the server told nothing of itself');
  return {
    version: row.version,
    sizeBytes: Number(row.size_bytes),
    connections: row.connections,
    maxConnections: row.max_connections,
  };
}

async function readTables(db: Db): Promise<TableHealth[]> {
  const { rows } = await db.execute<TableRow>(sql`
    /* dashboard.health_tables */
    select s.relname as name, s.n_live_tup::text as live_rows, s.n_dead_tup::text as dead_rows,
      pg_total_relation_size(s.relid)::text as total_bytes, pg_indexes_size(s.relid)::text as index_bytes,
      ${isoInstant(sql`greatest(s.last_vacuum, s.last_autovacuum)`)} as vacuumed_at
    from pg_stat_user_tables s
    where s.schemaname = 'tickmark'
    order by pg_total_relation_size(s.relid) desc, s.relname
    limit ${TABLES_SHOWN}`);
  return rows.map((row) => ({
    name: row.name,
    liveRows: Number(row.live_rows),
    deadRows: Number(row.dead_rows),
    totalBytes: Number(row.total_bytes),
    indexBytes: Number(row.index_bytes),
    vacuumedAt: row.vacuumed_at,
  }));
}

/**
 * The transaction that has held its snapshot for longest, whoever's it is; prepared ones too. Vacuum itself and sessions
 * of other databases hold up nothing here, and what is younger than a second is just work. A role that may not see other roles' sessions sees its own alone.
 */
async function readOldestSnapshot(db: Db): Promise<Snapshot | null> {
  const { rows } = await db.execute<SnapshotRow>(sql`
    /* dashboard.health_snapshot */
    select * from (
      select a.pid, a.application_name as application, coalesce(a.usename::text, '') as user,
        coalesce(a.state, a.backend_type) as state,
        extract(epoch from clock_timestamp() - a.xact_start)::float8 as age_seconds
      from pg_stat_activity a
      where a.datname = current_database() and (a.backend_xmin is not null or a.backend_xid is not null)
        and a.xact_start < clock_timestamp() - interval '1 second' and a.pid <> pg_backend_pid() and a.backend_type <> 'autovacuum worker'
      union all
      select 0, 'prepared transaction ' || p.gid, p.owner::text, 'prepared',
        extract(epoch from clock_timestamp() - p.prepared)::float8
      from pg_prepared_xacts p
      where p.database = current_database()
    ) held
    order by age_seconds desc
    limit 1`);
  const row = rows[0];
  if (!row) return null;
  const { pid, application, user, state, age_seconds } = row;
  return { pid, application, user, state, ageSeconds: Math.max(0, age_seconds) };
}
