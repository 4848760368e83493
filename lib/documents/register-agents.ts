import { sql } from 'drizzle-orm';
import type { AgentDefinition } from '@/lib/contract/agent-definition';
import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';

const DEFINITION: AgentDefinition = { kind: 'external' };

/** How an agent of another author appears to people. */
export interface NamedAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/**
 * Makes agents of other authors known, or renames them; runs again without changing anything else.
 * @returns ids that are taken by agents that Tickmark brings along: these are left as they are
 */
export async function registerAgents(db: Queryable, agents: readonly NamedAgent[]): Promise<string[]> {
  const taken: string[] = [];
  for (const agent of agents) {
    if (!(await registerAgent(db, agent))) taken.push(agent.id);
  }
  return taken;
}

function registerAgent(db: Queryable, { id, name, description }: NamedAgent): Promise<boolean> {
  return withTransaction(db, async (tx) => {
    const { rows } = await tx.execute<{ kind: string }>(sql`
      /* documents.agent_kind */
      select agent_versions.definition ->> 'kind' as kind
      from tickmark.agents
      join tickmark.agent_versions
        on agent_versions.agent_id = agents.id and agent_versions.version = agents.current_version
      where agents.id = ${id}`);
    if (rows.some(({ kind }) => kind !== DEFINITION.kind)) return false;
    await tx.execute(sql`
      /* documents.register_agent */
      insert into tickmark.agents (id, name, description)
      values (${id}, ${name}, ${description})
      on conflict (id) do update
      set name = excluded.name, description = excluded.description
      where (agents.name, agents.description) is distinct from (excluded.name, excluded.description)`);
    await tx.execute(sql`
      /* documents.register_agent_version */
      insert into tickmark.agent_versions (agent_id, version, definition)
      values (${id}, 1, ${JSON.stringify(DEFINITION)}::json)
      on conflict do nothing`);
    return true;
  });
}
