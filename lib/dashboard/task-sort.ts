import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { TaskSort } from '@/lib/contract/task-sorts';
import type { Cursor } from './cursor';

/** What a list of facts is ordered by; those without a value come last in both directions. */
export interface SortKey {
  readonly isDescending: boolean;
  /** Some tasks have no such value. */
  readonly isNullable: boolean;
  /** The value of facts `alias`, as it stands in an index of `task_facts`. */
  readonly value: (alias: string) => SQL;
  /** It is the order of creation itself. */
  readonly isCreation: boolean;
  /** Its order is about that of creation: in a range of creation, walking along it may begin millions of rows too early. */
  readonly followsCreation: boolean;
  /** The column that is null where there is no value. */
  readonly source: (alias: string) => SQL;
  /** The value as the cursor's number; instants are whole microseconds. */
  readonly toNumber: (value: SQL) => SQL;
  readonly fromNumber: (value: number) => SQL;
}

const instant = {
  toNumber: (value: SQL) => sql`(extract(epoch from ${value}) * 1000000)::bigint::text`,
  fromNumber: (value: number) => sql`('epoch'::timestamptz + ${value}::float8 * interval '1 microsecond')`,
};
const number = {
  toNumber: (value: SQL) => sql`(${value})::float8::text`,
  fromNumber: (value: number) => sql`${value}::float8`,
};
const column = (name: string) => (alias: string) => sql.raw(`${alias}.${name}`);

const plain = (name: string) => ({
  source: column(name),
  value: column(name),
  isCreation: false,
  followsCreation: false,
});

const KEYS: Record<SortName, Omit<SortKey, 'isDescending'>> = {
  created: { ...instant, isNullable: false, ...plain('created_at'), isCreation: true },
  finished: { ...instant, isNullable: true, ...plain('finished_at'), followsCreation: true },
  priority: {
    ...number,
    isNullable: false,
    ...plain('priority'),
    followsCreation: true,
    fromNumber: (value) => sql`${Math.max(-1, Math.min(101, Math.trunc(value)))}::int`,
  },
  confidence: { ...number, isNullable: true, ...plain('confidence') },
  latency: { ...number, isNullable: true, ...plain('response_seconds') },
  cost: {
    ...number,
    isNullable: true,
    isCreation: false,
    followsCreation: false,
    source: column('llm_cost_usd'),
    value: (alias) => sql.raw(`(${alias}.llm_cost_usd::float8)`),
  },
};
type SortName = TaskSort extends infer S ? (S extends `-${infer N}` ? N : never) : never;

export function sortKey(sort: TaskSort): SortKey {
  const name = (sort.startsWith('-') ? sort.slice(1) : sort) as SortName;
  return { ...KEYS[name], isDescending: sort.startsWith('-') };
}

/** Order of facts that have the value, of `alias`. */
export function orderOf(key: SortKey, alias: string): SQL {
  const direction = key.isDescending ? sql`desc` : sql`asc`;
  return sql`${key.value(alias)} ${direction}, ${sql.raw(alias)}.task_id ${direction}`;
}

/** Facts `alias` that have the value and come after the cursor; `false` where the cursor is past all of them. */
export function valuedAfter(key: SortKey, cursor: Cursor | null, alias: string): SQL {
  const has = key.isNullable ? sql`${key.source(alias)} is not null` : sql`true`;
  if (!cursor) return has;
  if (cursor.value === null) return sql`false`;
  const place = sql`(${key.value(alias)}, ${sql.raw(alias)}.task_id)`;
  const bound = sql`(${key.fromNumber(cursor.value)}, ${cursor.id}::uuid)`;
  return sql`${has} and ${place} ${key.isDescending ? sql`<` : sql`>`} ${bound}`;
}

/** Facts `alias` without the value that come after the cursor; always the newest first. */
export function valuelessAfter(key: SortKey, cursor: Cursor | null, alias: string): SQL {
  const none = sql`${key.source(alias)} is null`;
  return cursor?.value === null ? sql`${none} and ${sql.raw(alias)}.task_id < ${cursor.id}::uuid` : none;
}
