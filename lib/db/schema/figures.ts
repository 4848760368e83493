import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  doublePrecision,
  index,
  integer,
  numeric,
  primaryKey,
  real,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { tickmark, usd } from './schema';
import { taskStatus } from './tasks';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * One narrow row per task for reading: what lists are sorted and filtered by, and what the roll-up has counted of it.
 * Kept by the worker (`lib/figures`), never by the queue, so that the hot tables need no index for any of it. A task in
 * `processing` is not kept up to date here; readers take it, and whatever has changed since, from its rows.
 */
export const taskFacts = tickmark.table(
  'task_facts',
  {
    taskId: uuid('task_id').primaryKey(),
    createdAt: at('created_at').notNull(),
    agentId: text('agent_id').notNull(),
    client: text('client'),
    extractionId: uuid('extraction_id'),
    status: taskStatus('status').notNull(),
    priority: integer('priority').notNull(),
    finishedAt: at('finished_at'),
    /** `finished_at − created_at` of a completed task. */
    responseSeconds: doublePrecision('response_seconds'),
    /** Over all attempts, as everything about tokens and money here. */
    inputTokens: numeric('input_tokens').notNull(),
    outputTokens: numeric('output_tokens').notNull(),
    /** null: no attempt has a price */
    llmCostUsd: numeric('llm_cost_usd'),
    pricedAttempts: integer('priced_attempts').notNull(),
    unpricedAttempts: integer('unpriced_attempts').notNull(),
    wasteUsd: numeric('waste_usd').notNull(),
    runSeconds: numeric('run_seconds').notNull(),
    confidence: real('confidence'),
    errorCode: text('error_code'),
    /** Where its measures fall in histograms (`tickmark.sketch_key`, `tickmark.confidence_key`). */
    keys: integer('keys').array().notNull(),
  },
  (t) => [
    // task_facts_by_created has more columns than can be said here: drizzle, 0031.
    index('task_facts_by_client').on(t.client, t.createdAt, t.taskId).where(sql`client is not null`),
    index('task_facts_by_extraction')
      .on(t.extractionId, t.createdAt, t.taskId)
      .where(sql`extraction_id is not null`),
    index('task_facts_by_error')
      .on(t.errorCode, t.status, t.createdAt, t.taskId)
      .where(sql`error_code is not null`),
    // A sorted list is merged from one list per status: else one for a status that never has the value would look for it
    // in all rows of the others. Each shows first what has the value, then what has none.
    index('task_facts_sort_created').on(t.status, t.createdAt, t.taskId),
    index('task_facts_sort_priority').on(t.status, t.priority, t.taskId),
    index('task_facts_sort_finished')
      .on(t.status, t.finishedAt, t.taskId)
      .where(sql`finished_at is not null`),
    index('task_facts_sort_cost')
      .on(t.status, sql`(llm_cost_usd::float8)`, t.taskId)
      .where(sql`llm_cost_usd is not null`),
    index('task_facts_sort_latency')
      .on(t.status, t.responseSeconds, t.taskId)
      .where(sql`response_seconds is not null`),
    index('task_facts_sort_confidence')
      .on(t.status, t.confidence, t.taskId)
      .where(sql`confidence is not null`),
    index('task_facts_not_finished').on(t.status, t.taskId).where(sql`finished_at is null`),
    index('task_facts_without_cost').on(t.status, t.taskId).where(sql`llm_cost_usd is null`),
    index('task_facts_without_latency').on(t.status, t.taskId).where(sql`response_seconds is null`),
    index('task_facts_without_confidence').on(t.status, t.taskId).where(sql`confidence is null`),
  ],
);

/** What a search looks through: file name and error of a task. Apart from the facts: it hardly ever changes. */
export const taskSearch = tickmark.table('task_search', {
  taskId: uuid('task_id').primaryKey(),
  text: text('text').notNull(),
});

/**
 * Sums over the tasks created in a period, by agent, client and status. `level` says what a row stands for:
 * bit 1 = all clients, bit 2 = all agents; the columns it leaves out are empty. A client that is none is empty, too.
 */
const cellColumns = () => ({
  level: smallint('level').notNull(),
  start: at('start').notNull(),
  agentId: text('agent_id').notNull(),
  client: text('client').notNull(),
  status: taskStatus('status').notNull(),
  tasks: bigint('tasks', { mode: 'number' }).notNull(),
  inputTokens: numeric('input_tokens').notNull(),
  outputTokens: numeric('output_tokens').notNull(),
  llmCostUsd: numeric('llm_cost_usd').notNull(),
  pricedAttempts: bigint('priced_attempts', { mode: 'number' }).notNull(),
  unpricedAttempts: bigint('unpriced_attempts', { mode: 'number' }).notNull(),
  wasteUsd: numeric('waste_usd').notNull(),
  runSeconds: numeric('run_seconds').notNull(),
  confidenceSum: numeric('confidence_sum').notNull(),
  confidenceCount: bigint('confidence_count', { mode: 'number' }).notNull(),
  /** A histogram of all measures in one: ascending keys and how many tasks fall there. */
  keys: integer('keys').array().notNull(),
  counts: integer('counts').array().notNull(),
});

export const usageHourly = tickmark.table('usage_hourly', cellColumns(), (t) => [
  primaryKey({ columns: [t.level, t.start, t.agentId, t.client, t.status] }),
]);
export const usageDaily = tickmark.table('usage_daily', cellColumns(), (t) => [
  primaryKey({ columns: [t.level, t.start, t.agentId, t.client, t.status] }),
]);
export const usageMonthly = tickmark.table('usage_monthly', cellColumns(), (t) => [
  primaryKey({ columns: [t.level, t.start, t.agentId, t.client, t.status] }),
]);

/**
 * Periods whose sums are not to be read: of an hour only the rows of level 0 are right, of a day and a month none. They
 * are summed up anew once nothing has changed in them for a while.
 */
export const usageStale = tickmark.table(
  'usage_stale',
  {
    grain: text('grain').notNull(),
    start: at('start').notNull(),
    since: at('since').notNull(),
    touchedAt: at('touched_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.grain, t.start] }),
    check('usage_stale_grain', sql`${t.grain} in ('hour', 'day', 'month')`),
  ],
);

/**
 * Periods that were summed up of late, by the generation that it made: what readers keep of others stays right. `all`: the figures
 * were made anew.
 */
export const usageSummed = tickmark.table(
  'usage_summed',
  {
    grain: text('grain').notNull(),
    start: at('start').notNull(),
    generation: bigint('generation', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.grain, t.start] }),
    check('usage_summed_grain', sql`${t.grain} in ('hour', 'day', 'month', 'all')`),
  ],
);

/** One row: what of `task_events` the roll-up has seen. */
export const usageState = tickmark.table(
  'usage_state',
  {
    id: integer('id').primaryKey().default(1),
    /** Events of transactions that this snapshot saw are counted. */
    snapshot: text('snapshot').notNull(),
    /** Events up to here are counted, whoever wrote them. */
    afterId: bigint('after_id', { mode: 'number' }).notNull().default(0),
    /** All of `after_id` next, once no transaction is left that was there when it was noted. */
    nextAfterId: bigint('next_after_id', { mode: 'number' }).notNull().default(0),
    nextXmax: text('next_xmax').notNull().default('0'),
    nextAt: at('next_at').notNull().defaultNow(),
    foldedAt: at('folded_at').notNull().defaultNow(),
    /** Counts changes to sums that are not stale: what was read of these before is the same until it moves. */
    generation: bigint('generation', { mode: 'number' }).notNull().default(0),
    sampledAt: at('sampled_at').notNull().default(sql`'-infinity'`),
  },
  (t) => [check('usage_state_one_row', sql`${t.id} = 1`)],
);

/** Tasks that changed without an event, or whose events wait to be counted. */
export const usageChanges = tickmark.table('usage_changes', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  taskId: uuid('task_id').notNull(),
});

/**
 * How the queue stood, sampled each minute and thinned with age. A row without agent and client stands for all; the
 * others have something waiting or in flight.
 */
export const queueSamples = tickmark.table(
  'queue_samples',
  {
    at: at('at').notNull(),
    /** Empty: all agents and all clients. */
    agentId: text('agent_id').notNull(),
    client: text('client').notNull(),
    waiting: integer('waiting').notNull(),
    inFlight: integer('in_flight').notNull(),
    oldestAt: at('oldest_at'),
  },
  (t) => [primaryKey({ columns: [t.agentId, t.at, t.client] })],
);

/** Answers of the slow billing source, by what was asked. */
export const computeCosts = tickmark.table(
  'compute_costs',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The filters in one canonical text. */
    filters: text('filters').notNull(),
    status: text('status').notNull().default('pending'),
    source: text('source').notNull(),
    computeCostUsd: usd('compute_cost_usd'),
    message: text('message'),
    requestedBy: text('requested_by').notNull(),
    requestedAt: at('requested_at').notNull().defaultNow(),
    /** Until then one process is asking; another one takes over after that. */
    askingUntil: at('asking_until'),
    readyAt: at('ready_at'),
  },
  (t) => [
    check('compute_costs_status', sql`${t.status} in ('pending', 'ready', 'failed')`),
    index('compute_costs_by_filters').on(t.filters, t.requestedAt),
  ],
);
