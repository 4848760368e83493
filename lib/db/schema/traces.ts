import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { at, instants, tickmark, usd } from './schema';

/**
 * The trace of an attempt whose run was told to record one: when it is read next, and what it said. Apart from the attempt,
 * whose row changes often and has no index on when. The figures of a whole trace are in `task_attempts` as well, as those
 * that count; here they stand beside what the callbacks said.
 */
export const attemptTraces = tickmark.table(
  'attempt_traces',
  {
    attemptId: uuid('attempt_id').primaryKey(),
    taskId: uuid('task_id').notNull(),
    /** The id that the run was given at the claim. */
    traceId: text('trace_id'),
    /** An id of the agent's own that its trace is read under instead, and no other attempt's. */
    otherTraceId: text('other_trace_id'),
    /** `waiting`: it may still come; `incomplete`: parts of it never came; `missing`: nothing ever came. */
    status: text('status').notNull().default('waiting'),
    /** When it is read next, or its lease with a worker that reads it now ends; null = it is done with. */
    nextReadAt: at('next_read_at'),
    reads: integer('reads').notNull().default(0),
    /** When the source last gave something of it. */
    readAt: at('read_at'),
    doneAt: at('done_at'),
    modelCalls: integer('model_calls'),
    /** As many as the run says it made. */
    expectedCalls: integer('expected_calls'),
    model: text('model'),
    inputTokens: bigint('input_tokens', { mode: 'number' }),
    cachedInputTokens: bigint('cached_input_tokens', { mode: 'number' }),
    cacheWriteTokens: bigint('cache_write_tokens', { mode: 'number' }),
    outputTokens: bigint('output_tokens', { mode: 'number' }),
    llmCostUsd: usd('llm_cost_usd'),
    /** Whose prices: the run's (which are ours), our own table's, the server's, or several. */
    pricedBy: text('priced_by'),
    /** What the last report came to at our prices, for comparing. */
    callbackCostUsd: usd('callback_cost_usd'),
    /** The final report and the whole trace say different things. */
    differs: boolean('differs').notNull().default(false),
    /** Why it could not be read, the last time that it could not. */
    error: text('error'),
  },
  (t) => [
    check('attempt_traces_status', sql`${t.status} in ('waiting', 'complete', 'incomplete', 'missing')`),
    check('attempt_traces_priced_by', sql`${t.pricedBy} in ('run', 'price_table', 'server', 'mixed')`),
    check('attempt_traces_instants', instants(t.nextReadAt, t.readAt, t.doneAt)),
    index('attempt_traces_due').on(t.nextReadAt).where(sql`next_read_at is not null`),
    index('attempt_traces_by_trace').on(t.traceId),
    uniqueIndex('attempt_traces_by_other_trace').on(t.otherTraceId),
    // Few, and what people are told of.
    index('attempt_traces_odd').on(t.doneAt).where(sql`differs or status in ('incomplete', 'missing')`),
  ],
);
