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
    select o.id, o.action, o.priority, o.status, o.total, o.done, o.changed, o.undoes, o.error_message as error, o.actor,
      case when o.finished_at is null or exists (
        select from tickmark.bulk_operations p where p.undoes = o.id and p.status <> 'failed'
      ) then 0 else (select count(*)::integer from tickmark.bulk_undo u where u.operation_id = o.id) end as undoable,
      ${isoInstant(sql`o.created_at`)} as "createdAt", ${isoInstant(sql`o.finished_at`)} as "finishedAt"
    from tickmark.bulk_operations o
    where o.id = ${id}::uuid`);
  const row = rows[0];
  if (!row) return null;
  const { total, done, changed, ...rest } = row;
  return { ...rest, progress: { total, done, changed, skipped: done - changed } };
}
