import { sql } from 'drizzle-orm';
import { boolean, check, integer, json, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { tickmark } from './schema';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** An agent and its limits; changed live. `null` = no limit of its own. */
export const agents = tickmark.table(
  'agents',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    currentVersion: integer('current_version').notNull().default(1),
    maxConcurrentTasks: integer('max_concurrent_tasks'),
    /** Tokens per minute. */
    maxTpm: integer('max_tpm'),
    /** null = LEASE_SECONDS of the worker. */
    leaseSeconds: integer('lease_seconds'),
    maxAttempts: integer('max_attempts').notNull().default(3),
    maxRunSeconds: integer('max_run_seconds').notNull().default(1800),
    paused: boolean('paused').notNull().default(false),
    /** What happens to a task that alone exceeds the budget: `run_alone` or `hold`. */
    oversize: text('oversize').notNull().default('run_alone'),
    /** After a provider's 429 nothing of this agent is claimed before then. */
    coolingUntil: at('cooling_until'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check(
      'agents_limits',
      sql`${t.maxConcurrentTasks} >= 0 and ${t.maxTpm} >= 1 and ${t.leaseSeconds} between 5 and 3600 and ${t.maxAttempts} between 1 and 100 and ${t.maxRunSeconds} between 1 and 86400`,
    ),
    check('agents_oversize', sql`${t.oversize} in ('run_alone', 'hold')`),
  ],
);

/** What an agent does, immutable; an attempt records the version that it ran with. */
export const agentVersions = tickmark.table(
  'agent_versions',
  {
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id),
    version: integer('version').notNull(),
    /** `json`, not `jsonb`: the order of the fields is the order in which they are shown. */
    definition: json('definition').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.agentId, t.version] })],
);
