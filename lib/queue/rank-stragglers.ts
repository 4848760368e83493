import { sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import { errorCode } from '@/lib/db/connection-loss';
import { withTransaction } from '@/lib/db/transaction';

/** First key of the advisory locks that whoever makes a task wait holds (drizzle/0006_claim_cursors.sql). */
const CURSORS = 1953063789;
/** Others who make tasks wait stand in line behind this one, so it does not wait for long; the next look will do. */
const PATIENCE = '50ms';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * After agents' order was changed, by whomever: ranks what was being enqueued in that moment, still by the order before.
 * Among the others such a task would have a wrong place, and under a token budget be passed by all. Any worker, any number
 * of them at once; an agent for which somebody is still enqueuing has its turn at a later look.
 */
export async function rankStragglers(db: Db): Promise<void> {
  const { rows } = await db.execute<{ id: string; since: string }>(sql`
    /* queue.changed_orders */
    select id, order_changed_at::text as since from tickmark.agents where order_changed_at is not null order by id`);
  for (const { id, since } of rows) {
    if (!(await nobodyEnqueuesSinceBefore(db, id))) continue;
    await rankAstray(db, id);
    await db.execute(sql`
      /* queue.order_is_settled */
      update tickmark.agents set order_changed_at = null
      where id = ${id} and order_changed_at = ${since}::timestamptz`);
  }
}

/** Whether all who began to enqueue before the change have ended. Holds nothing when it returns. */
async function nobodyEnqueuesSinceBefore(db: Db, agentId: string): Promise<boolean> {
  try {
    await withTransaction(db, async (tx) => {
      await tx.execute(sql`/* queue.be_impatient */ select set_config('lock_timeout', ${PATIENCE}, true)`);
      await tx.execute(
        sql`/* queue.await_enqueuers */ select pg_advisory_xact_lock(${CURSORS}, hashtext(${agentId}))`,
      );
    });
    return true;
  } catch (error) {
    if (errorCode(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

async function rankAstray(db: Db, agentId: string): Promise<void> {
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
