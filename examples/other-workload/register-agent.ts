import { sql } from 'drizzle-orm';
import type { AgentDefinition } from '@/lib/contract/agent-definition';
import type { Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';

/** The id under which tasks of this workload are queued and limited. */
export const AGENT_ID = 'ledger-check';

/** Tickmark only queues and dispatches such an agent; what it does is this folder's business. */
const DEFINITION: AgentDefinition = { kind: 'external' };

/** Makes the agent known, with its limit. Runs again without changing anything else. */
export async function registerAgent(
  db: Db,
  { maxConcurrentTasks }: { maxConcurrentTasks: number | null },
): Promise<void> {
  await withTransaction(db, async (tx) => {
    await tx.execute(sql`
      /* example.register_agent */
      insert into tickmark.agents (id, name, description, max_concurrent_tasks, max_attempts, retry_base_seconds)
      values (${AGENT_ID}, 'Ledger check', 'Adds up both sides of an account.', ${maxConcurrentTasks}, 3, 0)
      on conflict (id) do update set max_concurrent_tasks = excluded.max_concurrent_tasks`);
    await tx.execute(sql`
      /* example.register_version */
      insert into tickmark.agent_versions (agent_id, version, definition)
      values (${AGENT_ID}, 1, ${JSON.stringify(DEFINITION)}::json)
      on conflict do nothing`);
  });
}
