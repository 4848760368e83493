import { z } from 'zod';
import { Result } from './result';
import { storableJson, text } from './text';

/** Counts are kept in `bigint` columns and read back as JavaScript numbers, hence this ceiling. */
const TokenCount = z.number().int().min(0).max(1_000_000_000_000);

/** Money as a decimal string of US dollars; at most 12 digits before and 12 after the point. */
export const Usd = z.string().regex(/^\d{1,12}(\.\d{1,12})?$/);

/** Cumulative usage of one attempt; a later one replaces an earlier one. `inputTokens` includes cached and written ones. */
export const Usage = z.object({
  model: text(200).nullable().default(null),
  inputTokens: TokenCount.default(0),
  cachedInputTokens: TokenCount.default(0),
  cacheWriteTokens: TokenCount.default(0),
  outputTokens: TokenCount.default(0),
  costUsd: Usd.nullable().default(null),
  calls: z.array(z.unknown().transform(storableJson)).max(10_000).default([]),
  /** Whether the attempt's trace has arrived whole, as far as its run could tell; left out where none was asked for. */
  traceExported: z.boolean().optional(),
  /** When the run had its outcome, by its own clock: what follows is the way of the callback. */
  endedAt: z.iso.datetime().optional(),
});
export type Usage = z.infer<typeof Usage>;

export const Progress = z.object({
  done: z.number().int().min(0).max(1_000_000),
  total: z.number().int().min(0).max(1_000_000),
});
export type Progress = z.infer<typeof Progress>;

export const AttemptError = z.object({
  code: text(100).pipe(z.string().min(1)),
  message: text(5_000).default(''),
  retryable: z.boolean(),
  retryAfterSeconds: z.number().min(0).max(86_400).nullable().default(null),
});
export type AttemptError = z.infer<typeof AttemptError>;

const head = {
  taskId: z.guid(),
  attemptId: z.guid(),
  runId: text(200).nullable().default(null),
  traceId: text(200).nullable().default(null),
  usage: Usage.nullable().default(null),
};

/** What an agent reports about its attempt (agent → app). Public: `GET /api/v1/schemas/callback.json`. */
export const Callback = z.discriminatedUnion('type', [
  z.object({ type: z.literal('attempt.succeeded'), ...head, result: Result }),
  z.object({ type: z.literal('attempt.failed'), ...head, error: AttemptError }),
  z.object({ type: z.literal('attempt.progress'), ...head, progress: Progress.nullable().default(null) }),
]);
export type Callback = z.infer<typeof Callback>;

/** The answer: what became of the delivery, and whether the run should end now. */
export const CallbackAnswer = z.object({
  outcome: z.enum(['applied', 'noop', 'recorded']),
  stop: z.boolean(),
});
export type CallbackAnswer = z.infer<typeof CallbackAnswer>;

/**
 * The same delivery where headers do not survive: three Standard Webhooks values beside the body as a string. The
 * outbox file of a run is exactly this.
 */
export const CallbackEnvelope = z.object({
  webhook: z.object({
    id: z.string().min(1).max(200),
    timestamp: z.union([z.string(), z.number()]).transform(String),
    signature: z.string().min(1).max(2_000),
  }),
  payload: z.string(),
});
export type CallbackEnvelope = z.infer<typeof CallbackEnvelope>;

/** A body over this size is refused with 413. */
export const MAX_CALLBACK_BYTES = 10 * 1024 * 1024;
