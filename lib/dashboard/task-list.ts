import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { TaskList } from '@/lib/contract/api';
import type { TaskListQuery, TaskSort } from '@/lib/contract/api-requests';
import type { Queryable } from '@/lib/db/client';
import { type Cursor, decodeCursor, encodeCursor } from './cursor';
import { taskConditions, taskSearch } from './task-filters';
import { type TaskRow, taskColumns, taskJoins, taskSource, toTaskListItem } from './task-row';

interface SortKey {
  /** What is ordered by; rows without a value come last in both directions. */
  readonly order: SQL;
  /** The value as a number for the cursor; null where the row has none. */
  readonly value: SQL;
  /** The cursor's number as a value to compare `order` with. */
  readonly bound: (value: number | null) => SQL;
}

const micros = (column: SQL) => sql`(extract(epoch from ${column}) * 1000000)::bigint::text`;
const fromMicros = (value: number) =>
  sql`('epoch'::timestamptz + ${value}::float8 * interval '1 microsecond')`;

/** One page of tasks; the first query of a list has no cursor. Throws `bad_request` for a cursor of another list. */
export async function readTaskList(
  db: Queryable,
  query: TaskListQuery,
  scope: ClientScope = null,
): Promise<TaskList> {
  const descending = query.sort.startsWith('-');
  const key = sortKey(query.sort, descending);
  const cursor = query.cursor ? decodeCursor(query.cursor, query.sort) : null;
  const direction = descending ? sql`desc` : sql`asc`;
  const { rows } = await db.execute<TaskRow & { sort_value: string | null }>(sql`
    /* dashboard.task_list */
    with page as (
      select t.id
      from ${taskSource}
      where ${taskConditions(query, scope)}
        and ${query.q ? taskSearch(query.q) : sql`true`}
        and ${cursor ? after(key, cursor, descending) : sql`true`}
      order by ${key.order} ${direction}, t.id ${direction}
      limit ${query.limit + 1}
    )
    select ${taskColumns}, ${key.value} as sort_value
    from ${taskSource}
    ${taskJoins}
    where t.id in (select id from page)
    order by ${key.order} ${direction}, t.id ${direction}`);
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  return { tasks: page.map(toTaskListItem), nextCursor: last ? cursorAt(last, query.sort) : null };
}

function cursorAt(row: TaskRow & { sort_value: string | null }, sort: TaskSort): string {
  const value = row.sort_value === null ? null : Number(row.sort_value);
  return encodeCursor({ sort, value, id: row.id });
}

function after(key: SortKey, cursor: Cursor, descending: boolean): SQL {
  const bound = sql`(${key.bound(cursor.value)}, ${cursor.id}::uuid)`;
  return descending ? sql`(${key.order}, t.id) < ${bound}` : sql`(${key.order}, t.id) > ${bound}`;
}

function sortKey(sort: TaskSort, descending: boolean): SortKey {
  switch (sort) {
    case 'created':
    case '-created':
      return {
        order: sql`t.created_at`,
        value: micros(sql`t.created_at`),
        bound: (value) => fromMicros(value ?? 0),
      };
    case 'finished':
    case '-finished': {
      const none = descending ? sql`'-infinity'::timestamptz` : sql`'infinity'::timestamptz`;
      return {
        order: sql`coalesce(t.finished_at, ${none})`,
        value: micros(sql`t.finished_at`),
        bound: (value) => (value === null ? none : fromMicros(value)),
      };
    }
    case 'priority':
    case '-priority':
      return {
        order: sql`t.priority::float8`,
        value: sql`t.priority::text`,
        bound: (value) => sql`${value ?? 0}::float8`,
      };
    case 'latency':
    case '-latency':
    case 'cost':
    case '-cost': {
      const none = descending ? -1 : 1e16;
      const value = /latency$/.test(sort)
        ? sql`case when t.status = 'completed' then extract(epoch from t.finished_at - t.created_at)::float8 end`
        : sql`(select sum(o.llm_cost_usd)::float8 from tickmark.task_attempts o where o.task_id = t.id)`;
      return {
        order: sql`coalesce(${value}, ${none}::float8)`,
        value: sql`(${value})::text`,
        bound: (bound) => sql`${bound ?? none}::float8`,
      };
    }
    case 'confidence':
    case '-confidence': {
      const none = descending ? -1 : 2;
      return {
        order: sql`coalesce(t.confidence::float8, ${none}::float8)`,
        value: sql`t.confidence::float8::text`,
        bound: (value) => sql`${value ?? none}::float8`,
      };
    }
  }
}
