import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Db, Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { rebuildFigures } from '@/lib/figures/rebuild';
import { lockWhereabouts, PLACE_NOT_TOLD, refuseWhereWorked } from '@/lib/queue/adopt-home';
import { EMPTIED, STATEMENTS, WITH_TRIGGERS } from './mask-statements';

/**
 * Takes from a copy of a database what tells of clients, documents and people: names of files, clients and submissions,
 * values that were read, words of errors, who did what. Numbers, times, known codes and states stay. For good, in one
 * transaction; the sums of the dashboard are made anew. Throws `conflict` where the database is live, may be, or was at
 * work within the last minute.
 * @param named the place by the platform's name, as for `findWhereabouts`
 */
export async function maskDatabase(db: Db, named: string | null): Promise<void> {
  const salt = randomBytes(32).toString('hex');
  await withTransaction(db, async (tx) => {
    await requireMaskable(tx, named);
    for (const table of WITH_TRIGGERS)
      await tx.execute(sql`alter table tickmark.${sql.identifier(table)} disable trigger user`);
    for (const table of EMPTIED) await tx.execute(sql`delete from tickmark.${sql.identifier(table)}`);
    for (const statement of STATEMENTS) await tx.execute(withSalt(statement, salt));
    for (const table of WITH_TRIGGERS)
      await tx.execute(sql`alter table tickmark.${sql.identifier(table)} enable trigger user`);
  });
  await rebuildFigures(db, { isExclusive: true });
}

/** Throws `conflict` unless this is surely a copy in which nobody works; in a transaction it stays one. Notes nothing. */
export async function requireMaskable(db: Queryable, named: string | null): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { is } = await lockWhereabouts(tx, named);
    if (is === 'unknown') throw new DomainError('conflict', PLACE_NOT_TOLD);
    if (is === 'here') {
      throw new DomainError(
        'conflict',
        'This database is live here, and masking cannot be undone. Mask a copy: a branch, or a restored dump.',
      );
    }
    await refuseWhereWorked(tx);
  });
}

/** The statements are ours; the salt alone is a value, and bound. */
function withSalt(statement: string, salt: string) {
  const parts = statement.split('$1').map((part) => sql.raw(part));
  return sql.join(parts, sql`${salt}::text`);
}
