import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  real,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { agents } from './agents';
import { documents, extractions } from './documents';
import { instants, tickmark, usd } from './schema';

export const taskStatus = tickmark.enum('task_status', [
  'enqueued',
  'processing',
  'completed',
  'failed',
  'cancelled',
]);

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

/** Ascending with time: what is written together lies together in an index. */
const NEW_ID = sql`tickmark.new_id()`;

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** One row per logical unit of work. Only `lib/queue` writes `status`. */
export const tasks = tickmark.table(
  'tasks',
  {
    id: uuid('id').primaryKey().default(NEW_ID),
    extractionId: uuid('extraction_id').references(() => extractions.id),
    /** null for tasks that are no document */
    documentId: uuid('document_id').references(() => documents.id),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id),
    status: taskStatus('status').notNull().default('enqueued'),
    priority: integer('priority').notNull().default(50),
    /** Claims so far, snoozed ones not counted. */
    attemptCount: integer('attempt_count').notNull().default(0),
    /** Claims allowed; an operator's retry raises it. */
    maxAttempts: integer('max_attempts').notNull().default(3),
    /** Attempts lost in a row: three and the task is parked as `run_lost`. */
    lostCount: integer('lost_count').notNull().default(0),
    /** Number of the newest attempt, snoozed ones counted: numbers are never reused. */
    lastAttemptNumber: integer('last_attempt_number').notNull().default(0),
    /** The live attempt; null unless `processing`. No foreign key: it would be circular, and is written with its attempt. */
    currentAttemptId: uuid('current_attempt_id'),
    /** The worker between claim and dispatch, then the run id; kept at the end. */
    lockedBy: text('locked_by'),
    leaseExpiresAt: at('lease_expires_at'),
    /** Its place among the agent's tasks in flight: when it was claimed, or when the count's beginning last moved. */
    inFlightAt: at('in_flight_at'),
    availableAt: at('available_at').notNull().defaultNow(),
    /** null until inspected: such a task is not claimable yet. */
    estimatedTokens: integer('estimated_tokens'),
    estimatedSeconds: real('estimated_seconds'),
    /** Version of `agent_estimates` that the estimate was made with; null = not a calibrated one. */
    estimateVersion: integer('estimate_version'),
    /**
     * Order within a priority before `created_at`. 0: none besides. Above 0: the round of its extraction's turns
     * (`agents.fair`). Below 0: its place where waiting counts as priority (`agents.ageing_seconds`), all priorities in one.
     */
    claimRank: bigint('claim_rank', { mode: 'number' }).notNull().default(0),
    /**
     * Set when it comes to wait for a claim. 0: at a place before the cursor of its class (`claim_cursors`), so that it is
     * found beside that; else 1.
     */
    claimLane: smallint('claim_lane'),
    /** Out of the claim's sight: `later` until `available_at`, `held` until a person changes a limit. */
    parked: text('parked'),
    /** The first task of its agent that did not fit a token budget carries the time since when. */
    blockedSince: at('blocked_since'),
    cancelRequestedAt: at('cancel_requested_at'),
    /** What a task that is no document works on. */
    input: jsonb('input'),
    result: jsonb('result'),
    confidence: real('confidence'),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    createdAt: at('created_at').notNull().defaultNow(),
    finishedAt: at('finished_at'),
  },
  (t) => [
    check('tasks_priority_range', sql`${t.priority} between 0 and 100`),
    check(
      'tasks_finished_when_final',
      sql`(${t.finishedAt} is not null) = (${t.status} in ('completed', 'failed', 'cancelled'))`,
    ),
    check('tasks_current_attempt', sql`${t.currentAttemptId} is null or ${t.status} = 'processing'`),
    check('tasks_parked', sql`${t.parked} in ('later', 'held')`),
    // Upper ends, too: a counter that the next claim would carry over the end of its type stops every claim.
    check(
      'tasks_attempt_counts',
      sql`${t.attemptCount} between 0 and 1000000 and ${t.maxAttempts} between 1 and 1000000 and ${t.lostCount} between 0 and 1000000 and ${t.lastAttemptNumber} between 0 and 1000000`,
    ),
    check('tasks_claim_rank', sql`${t.claimRank} between -20000000000000000 and 1000000000000`),
    check('tasks_confidence_range', sql`${t.confidence} between 0 and 1`),
    // NaN is greater than any number, so an upper end refuses it.
    check(
      'tasks_estimates',
      sql`${t.estimatedTokens} >= 0 and ${t.estimatedSeconds} between 0 and 1000000000`,
    ),
    check(
      'tasks_instants',
      instants(
        t.createdAt,
        t.availableAt,
        t.leaseExpiresAt,
        t.blockedSince,
        t.cancelRequestedAt,
        t.finishedAt,
      ),
    ),
    // The claim walks each open agent's due work in order and stops at its batch: independent of the backlog.
    index('tasks_claim')
      .on(
        t.agentId,
        sql`tickmark.claim_class(priority, claim_rank)`,
        t.claimLane,
        t.claimRank,
        t.createdAt,
        t.id,
      )
      .where(sql`status = 'enqueued' and estimated_tokens is not null and parked is null`),
    // What is not due yet, or held, stays out of the claim's way, however much of it there is.
    index('tasks_parked_due')
      .on(t.parked, t.availableAt)
      .where(sql`status = 'enqueued' and parked is not null`),
    // The inspect loop's work list: within a priority the extractions take turns.
    index('tasks_inspect')
      .on(
        t.priority.desc().nullsFirst(),
        sql`coalesce(extraction_id, '00000000-0000-0000-0000-000000000000'::uuid)`,
        t.createdAt,
        t.id,
      )
      .where(sql`status = 'enqueued' and estimated_tokens is null`),
    // In-flight counts, keeper and sweeper; lease columns are in no index, so that a renewal is a HOT update.
    index('tasks_processing').on(t.agentId, t.inFlightAt).where(sql`status = 'processing'`),
    index('tasks_by_extraction').on(t.extractionId, t.createdAt, t.id).where(sql`extraction_id is not null`),
    index('tasks_by_created').on(t.createdAt, t.id),
    index('tasks_by_document').on(t.documentId).where(sql`document_id is not null`),
  ],
);

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
