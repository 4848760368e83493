import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { StatusCounts } from '@/lib/contract/api';
import { readStatusCounts } from '@/lib/dashboard/metrics/read-metrics';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';

/** The counts of what a viewer may see, and `more` that is read in the same snapshot, before them. */
export async function countTasks<T>(
  db: Db,
  scope: ClientScope,
  read: (tx: Tx) => Promise<T>,
): Promise<{ readonly counts: StatusCounts; readonly more: T }> {
  return withTransaction(db, async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`);
    const more = await read(tx);
    return { counts: await readStatusCounts(tx, db, scope), more };
  });
}
