import 'server-only';
import { sql } from 'drizzle-orm';
import type { BulkOperation } from '@/lib/contract/api-bulk';
import type { Queryable } from '@/lib/db/client';
import { isoInstant } from './sql-values';

type Row = Omit<BulkOperation, 'progress'> & { total: number; done: number; changed: number };

/** How far a bulk operation is; null when there is none with this id. */
export async function readBulkOperation(db: Queryable, id: string): Promise<BulkOperation | null> {
  const { rows } = await db.execute<Row & Record<string, unknown>>(sql`
    /* dashboard.bulk_operation */
    select id, action, priority, status, total, done, changed, error_message as error, actor,
      ${isoInstant(sql`created_at`)} as "createdAt", ${isoInstant(sql`finished_at`)} as "finishedAt"
    from tickmark.bulk_operations
    where id = ${id}::uuid`);
  const row = rows[0];
  if (!row) return null;
  const { total, done, changed, ...rest } = row;
  return { ...rest, progress: { total, done, changed, skipped: done - changed } };
}
