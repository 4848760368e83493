import { sql } from 'drizzle-orm';
import type { BulkAction } from '@/lib/contract/api-bulk';
import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { openBulk } from './bulk';

/**
 * Opens the operation that takes another one back: waiting tasks that were cancelled wait again, priorities are what
 * they were. Throws `not_found`, and `conflict` while it is under way, was taken back already, or changed nothing that
 * could be put back.
 */
export async function openUndo(
  db: Queryable,
  { operationId, actor }: { operationId: string; actor: string },
): Promise<{ id: string; total: number }> {
  return withTransaction(db, async (tx) => {
    const { rows } = await tx.execute<{ action: BulkAction; over: boolean; noted: boolean; undone: boolean }>(
      sql`
      /* queue.lock_bulk */
      select o.action, o.finished_at is not null as over,
        exists (select from tickmark.bulk_undo u where u.operation_id = o.id) as noted,
        exists (select from tickmark.bulk_operations p where p.undoes = o.id and p.status <> 'failed') as undone
      from tickmark.bulk_operations o
      where o.id = ${operationId}::uuid
      for update of o`,
    );
    const operation = rows[0];
    if (!operation) throw new DomainError('not_found', 'There is no such operation.');
    if (!operation.over) throw new DomainError('conflict', 'It is still under way. Wait until it is over.');
    if (operation.undone) throw new DomainError('conflict', 'It was taken back already.');
    if (!operation.noted) throw new DomainError('conflict', 'It changed nothing that could be put back.');
    return openBulk(tx, {
      action: operation.action === 'cancel' ? 'retry' : 'reprioritise',
      priority: null,
      undoes: operationId,
      actor,
      tasks: sql`
        select u.task_id as id from tickmark.bulk_undo u where u.operation_id = ${operationId}::uuid order by u.task_id`,
    });
  });
}
