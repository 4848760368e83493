import 'server-only';
import { sql } from 'drizzle-orm';
import { clientScope, demand, type Permission } from '@/lib/auth/roles';
import type { BulkAction, BulkRequest } from '@/lib/contract/api-bulk';
import type { SessionUser } from '@/lib/contract/roles';
import { readBulkOperation } from '@/lib/dashboard/bulk-operation';
import { previewBulk } from '@/lib/dashboard/bulk-preview';
import { bulkSelection, requireTasks } from '@/lib/dashboard/bulk-selection';
import { withTransaction } from '@/lib/db/transaction';
import { openBulk } from '@/lib/queue/bulk';
import { openUndo } from '@/lib/queue/open-undo';
import type { AppRuntime } from './app-runtime';
import { answerOnce, idempotencyKey } from './idempotency';
import { json } from './json';

/** Whoever may do it to one task may do it to many. */
const PERMISSION: Record<BulkAction, Permission> = {
  cancel: 'task.cancel',
  retry: 'task.retry',
  reprioritise: 'task.prioritise',
};

/**
 * 200 with what would be done, for a preview; else 202 with the operation, which workers carry out. Operation and audit
 * entry are written together, once per `Idempotency-Key`. Throws `not_found` for unknown ids.
 */
export async function bulkAnswer(
  { db }: AppRuntime,
  user: SessionUser,
  body: BulkRequest,
  headers: Headers,
): Promise<Response> {
  demand(user, PERMISSION[body.action]);
  const scope = clientScope(user);
  if (body.preview) {
    await requireTasks(db, body, scope);
    return json(await previewBulk(db, body, scope));
  }
  const actor = `user:${user.id}`;
  const key = idempotencyKey(headers);
  const once = { scope: `${actor} POST /api/v1/tasks/bulk`, key, asked: body };
  const {
    status,
    body: answer,
    replayed,
  } = await answerOnce(db, once, async (tx) => {
    await requireTasks(tx, body, scope);
    const { id, total } = await openBulk(tx, {
      action: body.action,
      priority: body.priority ?? null,
      actor,
      tasks: await bulkSelection(tx, body, scope),
      only: { statuses: body.filter?.status, errorCodes: body.filter?.errorCode },
    });
    const { action, priority, filter, ids } = body;
    await tx.execute(sql`
      /* http.audit_bulk */
      insert into tickmark.audit_log (actor, action, subject, details)
      values (${actor}, ${`task.bulk_${action}`}, ${`bulk:${id}`},
        ${JSON.stringify({ total, priority, filter, ids: ids?.slice(0, 1_000) })}::jsonb)`);
    return { status: 202, body: await readBulkOperation(tx, id) };
  });
  return json(answer, status, replayed ? { 'idempotent-replayed': 'true' } : {});
}

/** 202 with the operation that takes another one back. Throws as `openUndo` does. */
export async function undoAnswer({ db }: AppRuntime, user: SessionUser, id: string): Promise<Response> {
  const actor = `user:${user.id}`;
  const operation = await withTransaction(db, async (tx) => {
    const undo = await openUndo(tx, { operationId: id, actor });
    await tx.execute(sql`
      /* http.audit_undo */
      insert into tickmark.audit_log (actor, action, subject, details)
      values (${actor}, 'task.bulk_undo', ${`bulk:${undo.id}`}, ${JSON.stringify({ undoes: id, total: undo.total })}::jsonb)`);
    return readBulkOperation(tx, undo.id);
  });
  return json(operation, 202);
}
