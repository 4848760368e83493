import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { at, instants, NEW_ID, tickmark, usd } from './schema';
import { taskStatus } from './tasks';

export const attemptStatus = tickmark.enum('attempt_status', [
  'claimed',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'lost',
  'snoozed',
  'superseded',
]);

/**
 * One row per execution of a task. `number` counts from 1 and is never reused. History (this, events, deliveries) has no
 * foreign keys: it is written in one statement with what it is about, and their checks took a quarter of a claim. What
 * they forbid otherwise, to delete what has a history, triggers forbid (drizzle/0001_task_triggers.sql).
 */
export const taskAttempts = tickmark.table(
  'task_attempts',
  {
    id: uuid('id').primaryKey().default(NEW_ID),
    taskId: uuid('task_id').notNull(),
    /** Copied from the task, so that limits are counted without a join. */
    agentId: text('agent_id').notNull(),
    number: integer('number').notNull(),
    status: attemptStatus('status').notNull().default('claimed'),
    agentVersion: integer('agent_version').notNull().default(1),
    claimedBy: text('claimed_by').notNull(),
    runId: text('run_id'),
    /** Workers that were lost while they dispatched it: it may be what kills them. */
    dispatchCrashes: integer('dispatch_crashes').notNull().default(0),
    traceId: text('trace_id'),
    model: text('model'),
    /** Reserved at the claim: tokens, and tokens per minute while in flight. */
    reservedTokens: integer('reserved_tokens').notNull().default(0),
    reservedTpm: integer('reserved_tpm').notNull().default(0),
    progressDone: integer('progress_done'),
    progressTotal: integer('progress_total'),
    lastSignAt: at('last_sign_at'),
    claimedAt: at('claimed_at').notNull().defaultNow(),
    dispatchedAt: at('dispatched_at'),
    /** Set by every statement that takes its task out of `processing`. */
    finishedAt: at('finished_at'),
    /** When its run is known to have stopped; a superseded attempt counts against limits until then. */
    runStoppedAt: at('run_stopped_at'),
    inputTokens: bigint('input_tokens', { mode: 'number' }),
    cachedInputTokens: bigint('cached_input_tokens', { mode: 'number' }),
    cacheWriteTokens: bigint('cache_write_tokens', { mode: 'number' }),
    outputTokens: bigint('output_tokens', { mode: 'number' }),
    llmCostUsd: usd('llm_cost_usd'),
    /** As the agent reported it, untouched. */
    reportedCostUsd: usd('reported_cost_usd'),
    computeCostUsd: usd('compute_cost_usd'),
    /** Webhook id of the delivery that completed the task; it needs no row in `callback_deliveries`. */
    completedBy: text('completed_by'),
    /** The last usage report, raw. */
    usage: jsonb('usage'),
    /** True once a final report brought the usage: nothing replaces it after that. */
    usageFinal: boolean('usage_final').notNull().default(false),
    /** Tokens and cost are those of a whole trace: reports are still kept in `usage`, and change no figure. */
    traceSettled: boolean('trace_settled').notNull().default(false),
    /** Kept here alone when a cancelled task's run succeeded after all. */
    result: jsonb('result'),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
  },
  (t) => [
    unique('task_attempts_number').on(t.taskId, t.number),
    check(
      'task_attempts_finished_when_over',
      sql`(${t.finishedAt} is not null) = (${t.status} not in ('claimed', 'running'))`,
    ),
    check(
      'task_attempts_tokens',
      sql`${t.inputTokens} >= 0 and ${t.outputTokens} >= 0 and ${t.cachedInputTokens} >= 0 and ${t.cacheWriteTokens} >= 0`,
    ),
    // `NaN` is greater than anything, for Postgres. A bill may be corrected by more than it was.
    check(
      'task_attempts_money',
      sql`${t.llmCostUsd} >= 0 and ${t.llmCostUsd} < 1e12 and ${t.reportedCostUsd} >= 0 and ${t.reportedCostUsd} < 1e12 and abs(${t.computeCostUsd}) < 1e12`,
    ),
    check(
      'task_attempts_instants',
      instants(t.claimedAt, t.dispatchedAt, t.finishedAt, t.runStoppedAt, t.lastSignAt),
    ),
    // One live attempt per task: the database itself refuses a double claim. No index here mentions the status or the
    // run, so that noting a dispatch, a progress or a usage is a HOT update.
    uniqueIndex('task_attempts_one_live').on(t.taskId).where(sql`finished_at is null`),
    // Superseded runs that may still be going on count against limits.
    index('task_attempts_unstopped')
      .on(t.agentId)
      .where(sql`finished_at is not null and run_stopped_at is null`),
    // Tokens used in the last minute count against the budget. Not `where finished_at is not null`: then this would seem
    // to the planner as good a way to the few that are unstopped, and it holds all that has ever ended.
    index('task_attempts_recent')
      .on(t.agentId, sql`greatest(finished_at, run_stopped_at)`)
      .where(sql`greatest(finished_at, run_stopped_at) is not null`),
  ],
);

/** Every transition of a task, and what else a person should find in its story. */
export const taskEvents = tickmark.table(
  'task_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    taskId: uuid('task_id').notNull(),
    attemptId: uuid('attempt_id'),
    at: at('at').notNull().default(sql`clock_timestamp()`),
    fromStatus: taskStatus('from_status'),
    toStatus: taskStatus('to_status'),
    actor: text('actor').notNull(),
    reason: text('reason').notNull(),
  },
  (t) => [index('task_events_by_task').on(t.taskId, t.id)],
);

/**
 * A callback delivery is known by its attempt and its webhook id; the same one always gets the same answer. The one that
 * completes a task, which most do, is noted with its attempt instead.
 */
export const callbackDeliveries = tickmark.table(
  'callback_deliveries',
  {
    attemptId: uuid('attempt_id').notNull(),
    webhookId: text('webhook_id').notNull(),
    receivedAt: at('received_at').notNull().defaultNow(),
    outcome: text('outcome').notNull(),
    stop: boolean('stop').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.attemptId, t.webhookId] }),
    check('callback_deliveries_outcome', sql`${t.outcome} in ('applied', 'noop', 'recorded')`),
  ],
);
