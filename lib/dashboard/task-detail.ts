import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { TaskDetail } from '@/lib/contract/api';
import type { Queryable } from '@/lib/db/client';
import { whyNotRunning } from '@/lib/queue/why-not-running';
import { isOneOf, isoInstant } from './sql-values';
import { readResult } from './stored-result';
import { readAttempts, readEvents, type TraceUrl } from './task-history';
import { type TaskRow, taskColumns, taskJoins, taskSource, toTaskListItem } from './task-row';

interface TaskDetailRow extends TaskRow {
  available_at: string;
  lease_expires_at: string | null;
  locked_by: string | null;
  max_attempts: number;
  estimated_tokens: number | null;
  estimated_seconds: number | null;
  sha256: string | null;
  result: unknown;
}

/** One task with its whole story; `null` when there is none, or none that the viewer may see. */
export async function readTask(
  db: Queryable,
  id: string,
  scope: ClientScope = null,
  traceUrl: TraceUrl = () => null,
): Promise<TaskDetail | null> {
  const { rows } = await db.execute<TaskDetailRow>(sql`
    /* dashboard.task_detail */
    select ${taskColumns}, t.result, t.locked_by, t.max_attempts, t.estimated_tokens, t.estimated_seconds, d.sha256,
      ${isoInstant(sql`t.available_at`)} as available_at,
      ${isoInstant(sql`t.lease_expires_at`)} as lease_expires_at
    from ${taskSource}
    ${taskJoins}
    where t.id = ${id}::uuid
      and ${scope ? isOneOf(sql`x.client`, scope) : sql`true`}`);
  const row = rows[0];
  if (!row) return null;
  const [attempts, events, reasons] = await Promise.all([
    readAttempts(db, row.id, traceUrl),
    readEvents(db, row.id),
    row.status === 'enqueued' ? whyNotRunning(db, [row.id]) : new Map<string, string | null>(),
  ]);
  return {
    ...toTaskListItem(row),
    availableAt: row.available_at,
    leaseExpiresAt: row.lease_expires_at,
    lockedBy: row.locked_by,
    maxAttempts: row.max_attempts,
    estimatedTokens: row.estimated_tokens,
    estimatedSeconds: row.estimated_seconds,
    sha256: row.sha256,
    whyNotRunning: reasons.get(row.id) ?? null,
    ...readResult(row.result),
    attempts,
    events,
  };
}
