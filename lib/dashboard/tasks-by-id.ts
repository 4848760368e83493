import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { TaskListItem } from '@/lib/contract/api';
import type { Queryable } from '@/lib/db/client';
import { isOneOf } from './sql-values';
import { type TaskRow, taskColumns, taskJoins, taskSource, toTaskListItem } from './task-row';

/** These tasks as they are now, in the order of their ids; those that there are, and that the viewer may see. */
export async function readTasksById(
  db: Queryable,
  ids: readonly string[],
  scope: ClientScope = null,
): Promise<TaskListItem[]> {
  const { rows } = await db.execute<TaskRow>(sql`
    /* dashboard.tasks_by_id */
    select ${taskColumns}
    from ${taskSource}
    ${taskJoins}
    where t.id = any(${sql.param([...ids])}::uuid[]) and ${scope ? isOneOf(sql`x.client`, scope) : sql`true`}
    order by t.id`);
  return rows.map(toTaskListItem);
}
