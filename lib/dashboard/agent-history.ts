import 'server-only';
import { sql } from 'drizzle-orm';
import type { AgentChange, AgentHistory } from '@/lib/contract/api-agents';
import type { AgentHistoryQuery } from '@/lib/contract/api-requests';
import type { Queryable } from '@/lib/db/client';
import { DomainError } from '@/lib/errors';
import { isoInstant } from './sql-values';

type Value = AgentChange['changes'][number]['from'];

interface ChangeRow extends Record<string, unknown> {
  id: string;
  agent_id: string | null;
  at: string;
  actor: string;
  changes: Record<string, { from: Value; to: Value }>;
}

/** What was changed of an agent and of the ceilings over all agents, newest first. Throws `not_found`. */
export async function readAgentHistory(
  db: Queryable,
  agentId: string,
  { cursor, limit }: AgentHistoryQuery,
): Promise<AgentHistory> {
  await requireAgent(db, agentId);
  const { rows } = await db.execute<ChangeRow>(sql`
    /* dashboard.agent_history */
    select h.id::text as id, h.agent_id, ${isoInstant(sql`h.at`)} as at, h.actor, h.changes
    from tickmark.agent_history h
    where (h.agent_id = ${agentId} or h.agent_id is null)
      and ${cursor ? sql`h.id < ${cursor}::bigint` : sql`true`}
    order by h.id desc
    limit ${limit + 1}`);
  const page = rows.slice(0, limit);
  return {
    changes: page.map(({ id, agent_id, at, actor, changes }) => ({
      id,
      agent: agent_id,
      at,
      actor,
      changes: Object.entries(changes).map(([setting, { from, to }]) => ({ setting, from, to })),
    })),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

async function requireAgent(db: Queryable, agentId: string): Promise<void> {
  const { rows } = await db.execute(sql`
    /* dashboard.agent_known */ select from tickmark.agents where id = ${agentId}`);
  if (rows.length === 0) throw new DomainError('not_found', `There is no agent "${agentId}".`);
}
