import { z } from 'zod';
import { ResultAnswer } from './api-result';

/**
 * The answers of the HTTP API: what `lib/dashboard` returns, what routes send and what the browser and the CLI read.
 * Instants are ISO 8601 UTC, ids are strings, money is a decimal string with all stored digits.
 */
export const TASK_STATUSES = ['enqueued', 'processing', 'completed', 'failed', 'cancelled'] as const;
export const TaskStatus = z.enum(TASK_STATUSES);
export type TaskStatus = z.infer<typeof TaskStatus>;

export const ATTEMPT_STATUSES = [
  'claimed',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'lost',
  'snoozed',
  'superseded',
] as const;
export const AttemptStatus = z.enum(ATTEMPT_STATUSES);
export type AttemptStatus = z.infer<typeof AttemptStatus>;

export const Instant = z.iso.datetime();
export const Id = z.string();
export const Money = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe('US dollars, all stored digits');
export const Count = z.number().int().min(0);

/** Tasks per status. */
export const StatusCounts = z
  .object({ enqueued: Count, processing: Count, completed: Count, failed: Count, cancelled: Count })
  .meta({ id: 'StatusCounts' });
export type StatusCounts = z.infer<typeof StatusCounts>;

/** One submission. Its state is a pure function of its tasks. */
export const Extraction = z
  .object({
    id: Id,
    client: z.string().nullable(),
    name: z.string(),
    firstFile: z
      .string()
      .nullable()
      .describe('Of an extraction that nobody named, whose name is the time: its first file'),
    agent: z.string(),
    priority: z.number().int(),
    submittedBy: z.string(),
    createdAt: Instant,
    counts: StatusCounts,
    progress: z.number().min(0).max(1).describe('Share of tasks that are final'),
    eta: z
      .object({ low: Instant.nullable(), high: Instant.nullable() })
      .describe('When the last task is likely to be final; null when nothing is open or nothing is known'),
    llmCostUsd: Money.nullable().describe('null: none of its attempts has a price'),
    computeCostUsd: Money.nullable().describe('null: not known'),
  })
  .meta({ id: 'Extraction' });
export type Extraction = z.infer<typeof Extraction>;

export const ExtractionList = z
  .object({ extractions: z.array(Extraction), nextCursor: z.string().nullable() })
  .meta({ id: 'ExtractionList' });
export type ExtractionList = z.infer<typeof ExtractionList>;

export const UploadedTask = z
  .object({ id: Id, documentId: Id, filename: z.string(), status: TaskStatus })
  .meta({ id: 'UploadedTask' });
export type UploadedTask = z.infer<typeof UploadedTask>;

export const RejectedFile = z
  .object({ filename: z.string(), code: z.enum(['empty_file', 'too_large']), reason: z.string() })
  .meta({ id: 'RejectedFile' });
export type RejectedFile = z.infer<typeof RejectedFile>;

/** What became of each uploaded file. */
export const UploadAnswer = z
  .object({ tasks: z.array(UploadedTask), rejected: z.array(RejectedFile) })
  .meta({ id: 'UploadAnswer' });
export type UploadAnswer = z.infer<typeof UploadAnswer>;

export const ExtractionCreated = UploadAnswer.extend({ extraction: Extraction }).meta({
  id: 'ExtractionCreated',
});
export type ExtractionCreated = z.infer<typeof ExtractionCreated>;

/** One row of a task list; never the result. */
export const TaskListItem = z
  .object({
    id: Id,
    extractionId: Id.nullable(),
    extractionName: z.string().nullable(),
    client: z.string().nullable(),
    documentId: Id.nullable(),
    filename: z.string().nullable().describe('null for a task that is no document'),
    sizeBytes: Count.nullable(),
    pageCount: Count.nullable(),
    agent: z.string(),
    status: TaskStatus,
    priority: z.number().int(),
    attemptCount: Count,
    confidence: z.number().min(0).max(1).nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    progress: z
      .object({ done: Count, total: Count })
      .nullable()
      .describe('Of the current attempt, usually pages'),
    inputTokens: Count.describe('Over all attempts'),
    outputTokens: Count,
    llmCostUsd: Money.nullable().describe('Over all attempts; null: none has a price'),
    computeCostUsd: Money.nullable(),
    responseSeconds: z.number().nullable().describe('finished_at − created_at of a completed task'),
    cancelRequestedAt: Instant.nullable(),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: 'TaskListItem' });
export type TaskListItem = z.infer<typeof TaskListItem>;

export const TaskList = z
  .object({ tasks: z.array(TaskListItem), nextCursor: z.string().nullable() })
  .meta({ id: 'TaskList' });
export type TaskList = z.infer<typeof TaskList>;

export const AttemptTrace = z
  .object({
    status: z
      .enum(['waiting', 'complete', 'incomplete', 'missing'])
      .describe(
        'complete: its figures are the attempt’s; missing: it never came, and those of the callback stay',
      ),
    url: z.string().nullable().describe('The trace in MLflow’s own interface'),
    modelCalls: Count.nullable(),
    inputTokens: Count.nullable(),
    cachedInputTokens: Count.nullable(),
    outputTokens: Count.nullable(),
    llmCostUsd: Money.nullable(),
    differs: z.boolean().describe('The agent’s last report says something else'),
    reported: z
      .object({
        inputTokens: Count,
        cachedInputTokens: Count,
        outputTokens: Count,
        llmCostUsd: Money.nullable(),
      })
      .nullable()
      .describe('What the agent’s last report said, at our prices'),
  })
  .meta({ id: 'AttemptTrace' });
export type AttemptTrace = z.infer<typeof AttemptTrace>;

export const Attempt = z
  .object({
    id: Id,
    number: Count,
    status: AttemptStatus,
    current: z.boolean(),
    agentVersion: z.number().int(),
    claimedBy: z.string(),
    runId: z.string().nullable(),
    traceId: z.string().nullable(),
    trace: AttemptTrace.nullable().describe('null: its run was not told to record one'),
    model: z.string().nullable(),
    notionalPrice: z.boolean().describe('The price is not money that anybody is billed (built-in model)'),
    progress: z.object({ done: Count, total: Count }).nullable(),
    inputTokens: Count.nullable(),
    cachedInputTokens: Count.nullable(),
    cacheWriteTokens: Count.nullable(),
    outputTokens: Count.nullable(),
    llmCostUsd: Money.nullable().describe('null with tokens: the model has no price'),
    computeCostUsd: Money.nullable(),
    waste: z
      .boolean()
      .describe('Its cost bought no result: over, and not the attempt that completed the task'),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    callbacks: z
      .array(z.object({ at: Instant, outcome: z.enum(['applied', 'noop', 'recorded']) }))
      .describe('What was heard of its run, oldest first; at most the newest hundred'),
    claimedAt: Instant,
    dispatchedAt: Instant.nullable(),
    workEndedAt: Instant.nullable().describe(
      'When the run had its outcome, by its own clock; from there to finishedAt the callback was on its way',
    ),
    finishedAt: Instant.nullable(),
    runStoppedAt: Instant.nullable(),
  })
  .meta({ id: 'Attempt' });
export type Attempt = z.infer<typeof Attempt>;

export const TaskEvent = z
  .object({
    id: Id,
    attemptId: Id.nullable(),
    at: Instant,
    fromStatus: TaskStatus.nullable(),
    toStatus: TaskStatus.nullable(),
    actor: z.string(),
    reason: z.string(),
  })
  .meta({ id: 'TaskEvent' });
export type TaskEvent = z.infer<typeof TaskEvent>;

/** One task with its whole story. */
export const TaskDetail = TaskListItem.extend({
  availableAt: Instant,
  leaseExpiresAt: Instant.nullable(),
  lockedBy: z.string().nullable(),
  maxAttempts: Count,
  estimatedTokens: Count.nullable(),
  estimatedSeconds: z.number().nullable(),
  sha256: z.string().nullable(),
  whyNotRunning: z.string().nullable().describe('One sentence while enqueued, else null'),
  foundNothing: z
    .boolean()
    .describe('Completed, and not one field has a value: look at the document before it is taken for done'),
  resultShape: z
    .enum(['fields', 'other'])
    .nullable()
    .describe('`fields`: as this schema says. `other`: what another agent stored, as it is'),
  result: ResultAnswer.nullable().describe(
    'Null until completed; other agents may have stored another shape',
  ),
  attempts: z.array(Attempt),
  events: z.array(TaskEvent),
}).meta({ id: 'TaskDetail' });
export type TaskDetail = z.infer<typeof TaskDetail>;
