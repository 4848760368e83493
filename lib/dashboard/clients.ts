import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { Queryable } from '@/lib/db/client';
import { allOf, isOneOf } from './sql-values';

/** A list to choose from need not be longer: what is not in it can be typed. */
const MAX_CLIENTS = 200;

/** The clients that work was submitted for, the latest first. */
export async function readClients(db: Queryable, scope: ClientScope = null): Promise<string[]> {
  const mine = scope === null ? [] : [isOneOf(sql`x.client`, scope)];
  const { rows } = await db.execute<{ client: string }>(sql`
    /* dashboard.clients */
    select x.client
    from tickmark.extractions x
    where ${allOf([sql`x.client is not null`, ...mine])}
    group by x.client
    order by max(x.created_at) desc
    limit ${MAX_CLIENTS}`);
  return rows.map(({ client }) => client);
}
