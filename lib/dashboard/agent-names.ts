import 'server-only';
import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';

/** What each agent is called, by its id. */
export async function readAgentNames(db: Queryable): Promise<Readonly<Record<string, string>>> {
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    /* dashboard.agent_names */
    select id, name from tickmark.agents`);
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
