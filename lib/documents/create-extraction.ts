import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { DomainError } from '@/lib/errors';

/** What a new extraction is made of. */
export interface ExtractionDraft {
  readonly agent: string;
  readonly client?: string | null;
  readonly name?: string | null;
  /** 0–100, higher first; default from the client's tier. */
  readonly priority?: number | null;
}

export interface CreatedExtraction {
  readonly id: string;
  readonly agentId: string;
  readonly priority: number;
}

/** Priority that a client's tier gives, where nothing else is asked for. */
const TIER_PRIORITY = { standard: 50, premium: 70 } as const;

/** Throws `bad_request` when there is no such agent; names those that there are. */
export async function requireAgent(db: Queryable, agentId: string): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`
    /* documents.agents */
    select id from tickmark.agents order by id`);
  if (rows.some((row) => row.id === agentId)) return;
  const known = rows.map((row) => row.id).join(', ');
  throw new DomainError('bad_request', `agent: there is none called "${agentId}". There are: ${known}.`);
}

/** Inserts an extraction, and its client on the client's first one. The agent must exist: {@link requireAgent}. */
export async function createExtraction(
  db: Queryable,
  draft: ExtractionDraft,
  submittedBy: string,
): Promise<CreatedExtraction> {
  const client = draft.client ?? null;
  if (client !== null) {
    await db.execute(sql`
      /* documents.add_client */
      insert into tickmark.clients (name) values (${client})
      on conflict (name) do nothing`);
  }
  const { rows } = await db.execute<{ id: string; priority: number }>(sql`
    /* documents.create_extraction */
    insert into tickmark.extractions (client, name, agent_id, priority, submitted_by)
    select
      ${client},
      coalesce(${draft.name ?? null}, 'Submission of ' || to_char(now() at time zone 'utc', 'YYYY-MM-DD HH24:MI') || ' UTC'),
      ${draft.agent},
      coalesce(
        ${draft.priority ?? null}::int,
        (select case tier when 'premium' then ${TIER_PRIORITY.premium}::int end from tickmark.clients where name = ${client}),
        ${TIER_PRIORITY.standard}::int
      ),
      ${submittedBy}
    returning id, priority`);
  const row = rows[0];
  if (!row) throw new Error('the insert of an extraction gave no row');
  return { id: row.id, agentId: draft.agent, priority: row.priority };
}

/** An extraction to add documents to; `null` when there is none. */
export async function findExtraction(db: Queryable, id: string): Promise<CreatedExtraction | null> {
  const { rows } = await db.execute<{ id: string; agent_id: string; priority: number }>(sql`
    /* documents.find_extraction */
    select id, agent_id, priority from tickmark.extractions where id = ${id}::uuid`);
  const row = rows[0];
  return row ? { id: row.id, agentId: row.agent_id, priority: row.priority } : null;
}
