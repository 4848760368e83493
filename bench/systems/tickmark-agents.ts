import { sql } from 'drizzle-orm';
import { createDb, type Db } from '@/lib/db/client';
import { enqueueTasks } from '@/lib/queue/enqueue';
import { inBatches, type Place, type Producer } from './system';

/** The agents that a bench registers, and what limits each of them. */
export interface BenchAgents {
  /** Default 1. */
  readonly agents?: number;
  /** `max_concurrent_tasks` of each; null: none is set. Default 5,000, which never stops anybody in a drain. */
  readonly limit?: number | null;
  /** `max_tpm` of each; default: none. */
  readonly tokensPerMinute?: number | null;
}

const PRIORITY = { low: 0, high: 90 };

export const agentId = (n: number) => `bench-${n}`;

/** Makes agents that no document is read by: the queue only claims and completes their tasks. */
export async function registerAgents(db: Db, options: BenchAgents): Promise<void> {
  const { agents = 1, limit = 5000, tokensPerMinute = null } = options;
  const definition = JSON.stringify({ kind: 'external' });
  for (let n = 0; n < agents; n += 1) {
    await db.execute(sql`
      insert into tickmark.agents (id, name, max_concurrent_tasks, max_tpm)
      values (${agentId(n)}, ${agentId(n)}, ${limit}, ${tokensPerMinute})`);
    await db.execute(sql`
      insert into tickmark.agent_versions (agent_id, version, definition)
      values (${agentId(n)}, 1, ${definition}::json)`);
  }
}

/** Puts tasks that do nothing into Tickmark's queue; the agents share them evenly. */
export async function openTickmarkProducer({ databaseUrl }: Place, agents = 1): Promise<Producer> {
  const db = createDb(databaseUrl, { applicationName: 'bench producer', max: 2 });
  const task = { estimate: { tokens: 100, seconds: 1 }, actor: 'bench' };
  return {
    enqueueMany: (count) =>
      inBatches(count, (payloads) =>
        enqueueTasks(
          db,
          payloads.map((input) => ({
            ...task,
            agentId: agentId(input.n % agents),
            priority: PRIORITY.low,
            input,
          })),
        ),
      ),
    async enqueueOne(input, priority) {
      await enqueueTasks(db, [{ ...task, agentId: agentId(0), priority: PRIORITY[priority], input }]);
    },
    async countOpen() {
      const { rows } = await db.execute<{ open: number }>(sql`
        select count(*)::integer as open from tickmark.tasks where status in ('enqueued', 'processing')`);
      return rows[0]?.open ?? 0;
    },
    close: () => db.$client.end(),
  };
}
