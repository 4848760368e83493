import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';

export interface NewExtraction {
  readonly agentId: string;
  /** Whom the work is for; made known on first use. */
  readonly client: string | null;
  /** Default: the date. */
  readonly name: string | null;
  /** 0–100, higher first; `null`: premium clients 70, everybody else 50. */
  readonly priority: number | null;
  /** Who asks, such as `user:<id>`. */
  readonly submittedBy: string;
}

export interface Extraction {
  readonly id: string;
  readonly client: string | null;
  readonly name: string;
  readonly agentId: string;
  readonly priority: number;
  readonly createdAt: Date;
}

/** Creates a submission that documents can be added to. Throws `DomainError` where there is no such agent. */
export async function createExtraction(db: Queryable, input: NewExtraction): Promise<Extraction> {
  return withTransaction(db, async (tx) => {
    if (input.client !== null) {
      await tx.execute(sql`
        /* documents.know_client */
        insert into tickmark.clients (name) values (${input.client}) on conflict (name) do nothing`);
    }
    const { rows } = await tx.execute<ExtractionRow>(sql`
      /* documents.create_extraction */
      insert into tickmark.extractions (client, name, agent_id, priority, submitted_by)
      select
        ${input.client},
        coalesce(${input.name}::text, to_char(now() at time zone 'utc', 'YYYY-MM-DD HH24:MI')),
        agents.id,
        coalesce(${input.priority}::integer, case clients.tier when 'premium' then 70 else 50 end),
        ${input.submittedBy}
      from tickmark.agents
      left join tickmark.clients on clients.name = ${input.client}
      where agents.id = ${input.agentId}
      returning id, client, name, agent_id, priority, created_at`);
    const row = rows[0];
    if (!row) throw new DomainError('bad_request', `There is no agent “${input.agentId}”.`);
    return {
      id: row.id,
      client: row.client,
      name: row.name,
      agentId: row.agent_id,
      priority: row.priority,
      createdAt: new Date(row.created_at),
    };
  });
}

interface ExtractionRow extends Record<string, unknown> {
  id: string;
  client: string | null;
  name: string;
  agent_id: string;
  priority: number;
  created_at: string | Date;
}
