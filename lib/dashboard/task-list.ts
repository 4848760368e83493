import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import { TASK_STATUSES, type TaskList, type TaskStatus } from '@/lib/contract/api';
import type { TaskListQuery } from '@/lib/contract/api-requests';
import type { TaskSort } from '@/lib/contract/task-sorts';
import type { Queryable } from '@/lib/db/client';
import { type Cursor, decodeCursor, encodeCursor } from './cursor';
import { CHANGED, createdIn } from './metrics/loose';
import { type Span, spanOf } from './metrics/periods';
import { factCondition, selectionOf } from './metrics/selection';
import { type TaskRow, taskColumns, taskJoins, taskSource, toTaskListItem } from './task-row';
import { searchCondition } from './task-search';
import { orderOf, type SortKey, sortKey, valuedAfter, valuelessAfter } from './task-sort';
import { readTasksById } from './tasks-by-id';

type Row = TaskRow & { sort_value: string | null };

/**
 * One page of tasks; the first query of a list has no cursor. Throws `bad_request` for a cursor of another list. Which tasks
 * are on it is found in their facts, but for those that have changed since: these are compared as they are.
 */
export async function readTaskList(
  db: Queryable,
  query: TaskListQuery,
  scope: ClientScope = null,
): Promise<TaskList> {
  if (query.id) return { tasks: await readTasksById(db, query.id, scope), nextCursor: null };
  const key = sortKey(query.sort);
  const cursor = query.cursor ? decodeCursor(query.cursor, query.sort) : null;
  const selection = selectionOf(query, scope);
  const matches = query.q ? await searchCondition(db, query.q) : () => sql`true`;
  const chosen = (alias: string) =>
    sql`${createdIn(alias, spanOf(query))} and ${factCondition(selection, alias)} and ${matches(alias)}`;
  const order = pageOrder(key);
  const { rows } = await db.execute<Row>(sql`
    /* dashboard.task_list */
    with ${CHANGED},
    page as materialized (
      select p.task_id, p.value
      from (${candidates({ key, cursor, statuses: selection.statuses, chosen, limit: query.limit + 1, range: spanOf(query) })}) p
      order by ${order}
      limit ${query.limit + 1}
    )
    select ${taskColumns}, ${key.toNumber(sql`p.value`)} as sort_value
    from page p
    join (${taskSource}) on t.id = p.task_id
    ${taskJoins}
    order by ${order}`);
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  return { tasks: page.map(toTaskListItem), nextCursor: last ? cursorAt(last, query.sort) : null };
}

/** Facts are never those of a task in flight. */
const FACT_STATUSES = TASK_STATUSES.filter((status) => status !== 'processing');

interface Wanted {
  readonly key: SortKey;
  readonly cursor: Cursor | null;
  readonly statuses: readonly TaskStatus[] | null;
  /** The conditions of the list on facts `alias`. */
  readonly chosen: (alias: string) => SQL;
  readonly limit: number;
  /** Of creation. */
  readonly range: Span;
}

/** The order of a page of `p`, as `task_id` and `value`. */
function pageOrder({ isDescending }: SortKey): SQL {
  const direction = isDescending ? sql`desc` : sql`asc`;
  return sql`p.value is null, p.value ${direction}, case when p.value is null then p.task_id end desc, p.task_id ${direction}`;
}

/** Until now where it has no end; milliseconds. */
function lengthOf({ lo, hi }: Span): number {
  return Math.min(hi, Math.max(Date.now(), lo)) - lo;
}

/** A range is read as a whole, and sorted, up to this length: by its index alone, which has all that lists are sorted by. */
const SORTED_UP_TO_MS = 31 * 86_400_000;

/** The first `limit` that may be on the page of each kind: by status, with a value and without one; and what has changed. */
function candidates({ key, cursor, statuses, chosen, limit, range }: Wanted): SQL {
  const isAfter = (alias: string) =>
    key.isNullable
      ? sql`(${valuedAfter(key, cursor, alias)} or ${valuelessAfter(key, cursor, alias)})`
      : valuedAfter(key, cursor, alias);
  const parts = [
    sql`
      select l.task_id, ${key.value('l')} as value
      from changed join tickmark.live_facts l using (task_id)
      where ${chosen('l')} and ${isAfter('l')}`,
  ];
  const others = sql`${chosen('f')} and f.task_id not in (select task_id from changed)`;
  if (key.isCreation && statuses === null) {
    parts.push(sql`(
      select f.task_id, ${key.value('f')} as value
      from tickmark.task_facts f
      where ${isAfter('f')} and ${others}
      order by ${orderOf(key, 'f')}
      limit ${limit}
    )`);
    return sql.join(parts, sql` union all `);
  }
  // What has failed is so little that its own index is the shorter way.
  const areFew = statuses?.every((status) => status === 'failed' || status === 'cancelled') ?? false;
  if (!key.isCreation && !areFew && lengthOf(range) <= SORTED_UP_TO_MS) {
    // `offset 0` keeps the planner from walking along the order instead.
    parts.push(sql`(
      select p.task_id, p.value from (
        select f.task_id, ${key.value('f')} as value
        from tickmark.task_facts f
        where ${isAfter('f')} and ${others}
        offset 0
      ) p
      order by ${pageOrder(key)}
      limit ${limit}
    )`);
    return sql.join(parts, sql` union all `);
  }
  // What is newest by creation is nearest to that end of these orders. From elsewhere the range is read first.
  const isFar = Number.isFinite(range.lo) && !(key.isDescending && range.hi === Number.POSITIVE_INFINITY);
  const facts = (condition: SQL) =>
    key.followsCreation && (isFar || Number.isFinite(range.hi))
      ? sql`(select f.* from tickmark.task_facts f where ${condition} offset 0) f`
      : sql`tickmark.task_facts f`;
  const ofFacts = (status: TaskStatus, condition: SQL, order: SQL) => sql`(
      select f.task_id, ${key.value('f')} as value
      from ${facts(sql`f.status = ${sql.raw(`'${status}'`)} and ${chosen('f')}`)}
      where f.status = ${sql.raw(`'${status}'`)} and ${condition} and ${others}
      order by ${order}
      limit ${limit}
    )`;
  for (const status of FACT_STATUSES.filter((one) => statuses?.includes(one) ?? true)) {
    if (cursor === null || cursor.value !== null) {
      parts.push(ofFacts(status, valuedAfter(key, cursor, 'f'), orderOf(key, 'f')));
    }
    if (key.isNullable) parts.push(ofFacts(status, valuelessAfter(key, cursor, 'f'), sql`f.task_id desc`));
  }
  return sql.join(parts, sql` union all `);
}

function cursorAt(row: Row, sort: TaskSort): string {
  const value = row.sort_value === null ? null : Number(row.sort_value);
  return encodeCursor({ sort, value, id: row.id });
}
