import { sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import { errorCode } from '@/lib/db/connection-loss';

/** Walking over what is no longer waiting may take so long before a cursor moves past it. */
const SLOW_MS = 2;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Keeps the claim's cost independent of what has been claimed before, however long somebody holds a snapshot: moves each
 * agent's cursors, and the beginning of its count of tasks in flight, past the dead entries of their indexes. How, and why
 * nothing is passed over, is told in drizzle/0006_claim_cursors.sql. Any worker, any number of them at once.
 * @returns how many moved
 */
export async function advanceClaimCursors(db: Db, slowMs = SLOW_MS): Promise<number> {
  const slow = `${slowMs} milliseconds`;
  const { rows: agents } = await db.execute<{ id: string }>(sql`
    /* queue.agents */
    select id from tickmark.agents order by id`);
  let moved = 0;
  for (const { id } of agents) {
    // A statement, and so a transaction and its lock, of each agent's own.
    moved += await unlessLocked(async () => {
      const { rows } = await db.execute<{ moved: number }>(sql`
        /* queue.advance_cursors */
        select tickmark.advance_claim_cursors(${id}, ${slow}::interval) as moved`);
      return rows[0]?.moved ?? 0;
    });
    moved += await unlessLocked(async () => {
      const { rows } = await db.execute<{ moved: boolean }>(sql`
        /* queue.advance_in_flight */
        select tickmark.advance_in_flight(${id}, ${slow}::interval) as moved`);
      return rows[0]?.moved ? 1 : 0;
    });
  }
  return moved;
}

/** Whoever is in the way is at work: the next turn is soon enough. */
async function unlessLocked(move: () => Promise<number>): Promise<number> {
  try {
    return await move();
  } catch (error) {
    if (errorCode(error) === LOCK_NOT_AVAILABLE) return 0;
    throw error;
  }
}
