import { sql } from 'drizzle-orm';
import type { Db } from './client';
import { withTransaction } from './transaction';

/** What a role that only reads may see. */
export const READ_LEVELS = {
  /** Results alone, without who submitted what or what it cost. */
  results: ['results'],
  /** What reports may rely on (contract). */
  reports: ['results', 'tasks', 'task_attempts', 'task_events', 'agents', 'documents', 'extractions'],
} as const;
export type ReadLevel = keyof typeof READ_LEVELS;

/**
 * Lets a role that is there already read, and nothing else: what it had in this schema before is taken away first. A
 * role of Lakebase is named by an e-mail address, a client id or a group. Throws `42704` for a role that is not there.
 */
export async function grantRead(db: Db, role: string, level: ReadLevel): Promise<void> {
  const to = sql.identifier(role);
  await withTransaction(db, async (tx) => {
    for (const kind of ['tables', 'sequences', 'routines']) {
      await tx.execute(sql`/* db.revoke */ revoke all on all ${sql.raw(kind)} in schema tickmark from ${to}`);
    }
    await tx.execute(sql`/* db.revoke */ revoke all on schema tickmark from ${to}`);
    await tx.execute(sql`/* db.grant */ grant usage on schema tickmark to ${to}`);
    for (const table of READ_LEVELS[level]) {
      await tx.execute(sql`/* db.grant */ grant select on tickmark.${sql.identifier(table)} to ${to}`);
    }
  });
}
