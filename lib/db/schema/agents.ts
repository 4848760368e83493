import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  primaryKey,
  real,
  text,
} from 'drizzle-orm/pg-core';
import { at, tickmark } from './schema';

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
    /** A failed attempt is tried again after base × factor ^ (attempts − 1) seconds, at most the cap, less up to half. */
    retryBaseSeconds: doublePrecision('retry_base_seconds').notNull().default(2),
    retryFactor: doublePrecision('retry_factor').notNull().default(2),
    retryCapSeconds: doublePrecision('retry_cap_seconds').notNull().default(300),
    paused: boolean('paused').notNull().default(false),
    /** Paused, and somebody waits for what is in flight to finish. */
    drainingSince: at('draining_since'),
    /** When, after that, nothing was in flight any more. */
    drainedAt: at('drained_at'),
    /** Extractions of one priority take turns; off: first come first served. */
    fair: boolean('fair').notNull().default(false),
    /** Waiting so long counts as one step of priority; null = priority is strict. */
    ageingSeconds: integer('ageing_seconds'),
    /** What happens to a task that alone exceeds the budget: `run_alone` or `hold`. */
    oversize: text('oversize').notNull().default('run_alone'),
    /** Set with `fair` and `ageing_seconds`, until what was being enqueued meanwhile has its rank, too. */
    orderChangedAt: at('order_changed_at'),
    /** Where the count of its tasks in flight begins (`tasks.in_flight_at`; why: see `claim_cursors`). */
    inFlightSince: at('in_flight_since').notNull().default(sql`'1970-01-01Z'`),
    /** After a provider's 429 nothing of this agent is claimed before then. */
    coolingUntil: at('cooling_until'),
    /** Limits below those that are set, after a 429; the stricter of both rules. Raised again step by step. */
    loweredConcurrentTasks: integer('lowered_concurrent_tasks'),
    loweredTpm: integer('lowered_tpm'),
    /** What was in flight when they were lowered. */
    loweredFromTasks: integer('lowered_from_tasks'),
    loweredAt: at('lowered_at'),
    loweredReason: text('lowered_reason'),
    /** When they were last raised, or the agent was last told to slow down. */
    adaptedAt: at('adapted_at'),
    /** Newest row of `agent_estimates`; null = not calibrated yet. */
    estimateVersion: integer('estimate_version'),
    /** Median of |actual − estimated| ÷ actual over the last attempts that succeeded. */
    estimateTokenError: real('estimate_token_error'),
    estimateSecondsError: real('estimate_seconds_error'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check(
      'agents_limits',
      sql`${t.maxConcurrentTasks} >= 0 and ${t.maxTpm} >= 1 and ${t.leaseSeconds} between 5 and 3600 and ${t.maxAttempts} between 1 and 100 and ${t.maxRunSeconds} between 1 and 86400`,
    ),
    check(
      'agents_retry',
      sql`${t.retryBaseSeconds} between 0 and 3600 and ${t.retryFactor} between 1 and 10 and ${t.retryCapSeconds} between 0 and 86400`,
    ),
    check(
      'agents_lowered',
      sql`${t.loweredConcurrentTasks} between 1 and 1000000 and ${t.loweredFromTasks} between 0 and 1000000 and ${t.loweredTpm} >= 1`,
    ),
    check(
      'agents_order',
      sql`${t.ageingSeconds} between 1 and 604800 and not (${t.fair} and ${t.ageingSeconds} is not null)`,
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

/** What was learnt of an agent's documents, immutable; a task records the version that its estimate was made with. */
export const agentEstimates = tickmark.table(
  'agent_estimates',
  {
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id),
    version: integer('version').notNull(),
    /** Attempts that it was learnt from. */
    samples: integer('samples').notNull(),
    tokensPerPage: doublePrecision('tokens_per_page').notNull(),
    secondsPerPage: doublePrecision('seconds_per_page').notNull(),
    /** What was used ÷ what the uncalibrated estimate of the same document says, for those with a text layer … */
    textTokenFactor: doublePrecision('text_token_factor').notNull(),
    textSecondsFactor: doublePrecision('text_seconds_factor').notNull(),
    /** … and for scans. */
    scanTokenFactor: doublePrecision('scan_token_factor').notNull(),
    scanSecondsFactor: doublePrecision('scan_seconds_factor').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.agentId, t.version] })],
);

/**
 * Who changed which of an agent's settings, when, from what to what; also what somebody changed with SQL. Kept by
 * triggers (drizzle: note_agent_change), which fire for these columns alone: nothing that the queue writes by itself.
 */
export const agentHistory = tickmark.table(
  'agent_history',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** null = the ceilings over all agents. */
    agentId: text('agent_id').references(() => agents.id, { onDelete: 'cascade' }),
    at: at('at').notNull().default(sql`clock_timestamp()`),
    actor: text('actor').notNull(),
    /** By the name that the API has for it: `{"maxTpm": {"from": null, "to": 500}}`. */
    changes: jsonb('changes').notNull(),
  },
  (t) => [index('agent_history_by_agent').on(t.agentId, t.id)],
);
