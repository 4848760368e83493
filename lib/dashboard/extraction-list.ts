import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { ExtractionList } from '@/lib/contract/api';
import type { ExtractionListQuery } from '@/lib/contract/api-requests';
import { storableText } from '@/lib/contract/text';
import type { Queryable } from '@/lib/db/client';
import { decodeCursor, encodeCursor } from './cursor';
import {
  type ExtractionRow,
  extractionColumns,
  extractionJoins,
  isOpen,
  toExtraction,
} from './extraction-row';
import { readEtas } from './open-work';
import { allOf, isOneOf, likePattern } from './sql-values';

/** The only order there is, as the cursor names it. */
const SORT = 'extractions';

/** One page of extractions, newest first. Throws `bad_request` for a cursor of another list. */
export async function readExtractionList(
  db: Queryable,
  query: ExtractionListQuery,
  scope: ClientScope = null,
): Promise<ExtractionList> {
  const { rows } = await db.execute<ExtractionRow & { created_micros: string }>(sql`
    /* dashboard.extraction_list */
    with page as (
      select x.id
      from tickmark.extractions x
      where ${conditions(query, scope)}
      order by x.created_at desc, x.id desc
      limit ${query.limit + 1}
    )
    select ${extractionColumns}, (extract(epoch from x.created_at) * 1000000)::bigint::text as created_micros
    from tickmark.extractions x
    ${extractionJoins}
    where x.id in (select id from page)
    order by x.created_at desc, x.id desc`);
  const page = rows.slice(0, query.limit);
  const etaOf = await readEtas(
    db,
    page.filter(isOpen).map((row) => row.id),
  );
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  return {
    extractions: page.map((row) => toExtraction(row, etaOf(row.id))),
    nextCursor: last ? encodeCursor({ sort: SORT, value: Number(last.created_micros), id: last.id }) : null,
  };
}

function conditions(query: ExtractionListQuery, scope: ClientScope): SQL {
  const list: SQL[] = [];
  if (query.client) list.push(isOneOf(sql`x.client`, query.client));
  if (query.agent) list.push(isOneOf(sql`x.agent_id`, query.agent));
  if (scope) list.push(isOneOf(sql`x.client`, scope));
  if (query.q) {
    const pattern = likePattern(query.q);
    list.push(
      sql`(x.name ilike ${pattern} or x.client ilike ${pattern} or x.id::text = ${storableText(query.q).toLowerCase()})`,
    );
  }
  if (query.cursor) {
    const { value, id } = decodeCursor(query.cursor, SORT);
    list.push(
      sql`(x.created_at, x.id) < ('epoch'::timestamptz + ${value ?? 0}::float8 * interval '1 microsecond', ${id}::uuid)`,
    );
  }
  return allOf(list);
}
