import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from './client';
import { errorCode, isConnectionLoss } from './connection-loss';
import { MIGRATIONS_TABLE, SCHEMA_VERSION } from './schema-version';

/** The newest migration in the database; `null` where there is no schema yet. */
export async function readSchemaVersion(db: Db): Promise<number | null> {
  try {
    const { rows } = await db.execute<{ version: string | null }>(
      sql`/* db.schema_version */ select max(created_at) as version from ${sql.identifier('tickmark')}.${sql.identifier(MIGRATIONS_TABLE)}`,
    );
    return rows[0]?.version ? Number(rows[0].version) : null;
  } catch (error) {
    // undefined_table, invalid_schema_name
    if (['42P01', '3F000'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/**
 * Waits until the database has at least this code's schema; never migrates. A newer schema is fine: during a deploy
 * old and new code run side by side. Throws after `timeoutMs` (default 60 s) with words on what to do.
 */
export async function waitForSchema(db: Db, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let found: number | null = null;
  let cause: unknown;
  for (;;) {
    try {
      found = await readSchemaVersion(db);
      cause = undefined;
      if (found !== null && found >= SCHEMA_VERSION) return;
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      cause = error;
    }
    if (Date.now() >= deadline) break;
    await delay(Math.min(500, timeoutMs));
  }
  const state = cause
    ? 'can not be reached'
    : found === null
      ? 'has no schema yet'
      : 'has an older schema than this version needs';
  throw new Error(`The database ${state}. Run \`npm run db:migrate\` against it, or \`npm start\`.`, {
    cause,
  });
}
