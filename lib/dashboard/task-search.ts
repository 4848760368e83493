import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { storableText } from '@/lib/contract/text';
import type { Queryable } from '@/lib/db/client';
import { isOneOf, likePattern } from './sql-values';

/** So many matches are listed by their ids; more of them are found soon enough by walking along the list. */
const FEW = 10_000;
const FEW_NAMES = 1_000;

interface Matches extends Record<string, unknown> {
  tasks: string[] | null;
  clients: string[] | null;
  extractions: string[] | null;
}

/**
 * The condition on facts `f` that a search means: part of a file name or an error, of a client's or an extraction's name, or
 * a whole id. What it matches is looked up first (by trigrams, where the database has them): in one condition with a sort
 * and a limit the planner would have to guess whether much or little matches, and is wrong by seconds.
 */
export async function searchCondition(db: Queryable, q: string): Promise<(alias: string) => SQL> {
  const pattern = likePattern(q);
  const { rows } = await db.execute<Matches>(sql`
    /* dashboard.search */
    select
      (select array_agg(m.task_id) from (
        select s.task_id from tickmark.task_search s where s.text ilike ${pattern} limit ${FEW + 1}
      ) m) as tasks,
      (select array_agg(c.name) from tickmark.clients c where c.name ilike ${pattern}) as clients,
      (select array_agg(m.id) from (
        select x.id from tickmark.extractions x where x.name ilike ${pattern} limit ${FEW_NAMES}
      ) m) as extractions`);
  const { tasks, clients, extractions } = rows[0] ?? { tasks: null, clients: null, extractions: null };
  const id = storableText(q).trim().toLowerCase();
  return (alias) => {
    const column = (name: string) => sql.raw(`${alias}.${name}`);
    const any: SQL[] = [];
    // A live row has its text with it: it may be newer than what the search goes through.
    if (alias === 'l') any.push(sql`l.search ilike ${pattern}`);
    else if (tasks && tasks.length > FEW) {
      any.push(
        sql`exists (select from tickmark.task_search s where s.task_id = ${column('task_id')} and s.text ilike ${pattern})`,
      );
    } else if (tasks) any.push(sql`${column('task_id')} = any(${sql.param(tasks)}::uuid[])`);
    if (clients) any.push(isOneOf(column('client'), clients));
    if (extractions) any.push(sql`${column('extraction_id')} = any(${sql.param(extractions)}::uuid[])`);
    if (UUID.test(id))
      any.push(sql`${column('task_id')} = ${id}::uuid or ${column('extraction_id')} = ${id}::uuid`);
    return any.length === 0 ? sql`false` : sql`(${sql.join(any, sql` or `)})`;
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
