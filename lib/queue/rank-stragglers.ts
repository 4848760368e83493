import { sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';

/** First key of the advisory locks that whoever makes a task wait holds (drizzle/0006_claim_cursors.sql). */
const CURSORS = 1953063789;

/**
 * After an agent's order was changed: ranks what was being enqueued in that moment, still by the order before. Among the
 * others such a task would have a wrong place, and under a token budget be passed by all.
 */
export async function rankStragglers(db: Db, agentId: string): Promise<void> {
  // Waits until nobody who began before the change is under way, and holds nothing meanwhile that others wait for.
  await withTransaction(db, (tx) =>
    tx.execute(
      sql`/* queue.await_enqueuers */ select pg_advisory_xact_lock(${CURSORS}, hashtext(${agentId}))`,
    ),
  );
  const astray = sql`
    t.agent_id = ${agentId} and t.status = 'enqueued' and t.estimated_tokens is not null
      and sign(t.claim_rank) <> (select tickmark.rank_sign(a) from tickmark.agents a where a.id = t.agent_id)`;
  const { rows } = await db.execute<{ priority: number; extraction_id: string | null }>(sql`
    /* queue.find_stragglers */
    select distinct t.priority, t.extraction_id from tickmark.tasks t where ${astray}`);
  // One turn's row after the other, so that this and others who enqueue never hold what the other wants.
  for (const { priority, extraction_id } of rows) {
    await withTransaction(db, (tx) =>
      tx.execute(sql`
        /* queue.rank_stragglers */
        update tickmark.tasks t
        set claim_rank = tickmark.next_claim_rank(t.agent_id, t.priority, t.extraction_id, t.created_at)
        where t.priority = ${priority} and t.extraction_id is not distinct from ${extraction_id}::uuid and ${astray}`),
    );
  }
}
