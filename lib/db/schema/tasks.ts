import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, real, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { agents } from './agents';
import { documents, extractions } from './documents';
import { at, instants, NEW_ID, tickmark } from './schema';

export const taskStatus = tickmark.enum('task_status', [
  'enqueued',
  'processing',
  'completed',
  'failed',
  'cancelled',
]);

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
