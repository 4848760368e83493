import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { DomainError } from '@/lib/errors';

/** What new documents take over from their extraction. */
export interface ExtractionTarget {
  readonly id: string;
  readonly agentId: string;
  readonly priority: number;
}

/** An extraction to add documents to; `null` when there is none. */
export async function findExtraction(db: Queryable, id: string): Promise<ExtractionTarget | null> {
  const { rows } = await db.execute<{ id: string; agent_id: string; priority: number }>(sql`
    /* documents.find_extraction */
    select id, agent_id, priority from tickmark.extractions where id = ${id}::uuid`);
  const row = rows[0];
  return row ? { id: row.id, agentId: row.agent_id, priority: row.priority } : null;
}

/** Throws `bad_request` when there is no such agent; names those that there are. */
export async function requireAgent(db: Queryable, agentId: string): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`
    /* documents.agents */
    select id from tickmark.agents order by id`);
  if (rows.some((row) => row.id === agentId)) return;
  const known = rows.map((row) => row.id).join(', ');
  throw new DomainError('bad_request', `agent: there is none called “${agentId}”. There are: ${known}.`);
}
