import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { BulkPreview } from '@/lib/contract/api-bulk';
import { SAME_AGAIN } from '@/lib/contract/error-codes';
import type { Queryable } from '@/lib/db/client';

/**
 * The failed ones of some tasks whose retry ends the same way, by reason, most first.
 * @param tasks a query that has their `id`
 */
export async function sameAgain(db: Queryable, tasks: SQL): Promise<BulkPreview['sameAgain']> {
  const { rows } = await db.execute<{ errorCode: string; count: number }>(sql`
    /* dashboard.same_again */
    select t.error_code as "errorCode", count(*)::integer as count
    from (${tasks}) b
    join tickmark.tasks t on t.id = b.id
    where t.status = 'failed' and t.error_code = any(${sql.param([...SAME_AGAIN])}::text[])
    group by t.error_code
    order by count(*) desc, t.error_code`);
  return rows;
}
