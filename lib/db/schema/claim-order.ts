import { sql } from 'drizzle-orm';
import { bigint, check, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { agents } from './agents';
import { at, tickmark } from './schema';

/**
 * From where on the claim reads an agent's waiting tasks of a class: none waits before, but for those that came to after
 * the cursor had passed their place (`claim_lane` 0). Without cursors the claim would walk over all that was claimed
 * since the oldest snapshot that somebody holds, as nothing of it can be vacuumed. The row of class −101 comes before all.
 */
export const claimCursors = tickmark.table(
  'claim_cursors',
  {
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    class: integer('class').notNull(),
    claimRank: bigint('claim_rank', { mode: 'number' }).notNull(),
    createdAt: at('created_at').notNull(),
    id: uuid('id').notNull(),
    movedAt: at('moved_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.agentId, t.class] })],
);

/** Where the turns of each extraction (`flow`) stand in a priority of a fair agent; rows of those that are done go. */
export const fairFlows = tickmark.table(
  'fair_flows',
  {
    agentId: text('agent_id').notNull(),
    priority: integer('priority').notNull(),
    flow: uuid('flow').notNull(),
    /** Of its newest task. */
    lastRank: bigint('last_rank', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.agentId, t.priority, t.flow] }),
    check('fair_flows_rank', sql`${t.lastRank} between 0 and 1000000000000`),
  ],
);
