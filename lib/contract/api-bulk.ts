import { z } from 'zod';
import { Count, Id, Instant, Money, TaskListItem, TaskStatus } from './api';
import { When } from './api-requests';
import { text } from './text';

/** One action on many tasks: what is asked, what it would do, and how far it is. */

export const BULK_ACTIONS = ['cancel', 'retry', 'reprioritise'] as const;
export const BulkAction = z.enum(BULK_ACTIONS);
export type BulkAction = z.infer<typeof BulkAction>;

/** One or several; a list that is empty is a mistake here, and must not mean "all". */
const several = <T extends z.ZodType>(item: T) =>
  z
    .union([z.array(item).min(1).max(100), item])
    .transform((value) => (Array.isArray(value) ? value : [value]) as z.output<T>[])
    .optional();

/** The filters of the task list. Nothing besides, so that a misspelt one never selects everything. */
export const BulkFilter = z.strictObject({
  status: several(TaskStatus),
  agent: several(text(100)),
  client: several(text(200)),
  extraction: several(z.guid()),
  errorCode: several(text(100)),
  from: When.optional().describe('Created at or after'),
  to: When.optional().describe('Created before'),
  q: text(200)
    .pipe(z.string().min(1))
    .optional()
    .describe('Part of a file name, client or error, or a whole id'),
});
export type BulkFilter = z.infer<typeof BulkFilter>;

export const BulkRequest = z
  .strictObject({
    action: BulkAction,
    priority: z.number().int().min(0).max(100).optional().describe('The new one, for `reprioritise`'),
    filter: BulkFilter.optional().describe('Of these, the tasks that the action can change'),
    ids: z.array(z.guid()).min(1).max(10_000).optional(),
    preview: z.boolean().default(false).describe('Change nothing, only say what would be done'),
  })
  .refine(({ filter, ids }) => (filter === undefined) !== (ids === undefined), 'send either filter or ids')
  .refine(
    ({ action, priority }) => (priority !== undefined) === (action === 'reprioritise'),
    'priority goes with reprioritise, and only with it',
  )
  .meta({ id: 'BulkRequest' });
export type BulkRequest = z.infer<typeof BulkRequest>;
/** As a caller writes it. */
export type BulkBody = z.input<typeof BulkRequest>;

export const BulkPreview = z
  .object({
    count: Count.describe('Tasks that would be worked on'),
    sample: z.array(TaskListItem).describe('The first of them'),
    estimatedCostUsd: Money.nullable().describe(
      'What they are expected to cost when they run, at the prices in force; null: none of them has a price',
    ),
    sameAgain: z
      .array(z.object({ errorCode: z.string(), count: Count }))
      .describe(
        'Of a retry: failed tasks whose document is the cause, so that it changes nothing; most first',
      ),
    unpriced: Count.describe('Tasks that are not in the estimated cost: no estimate, or no known price'),
  })
  .meta({ id: 'BulkPreview' });
export type BulkPreview = z.infer<typeof BulkPreview>;

export const BulkOperation = z
  .object({
    id: Id,
    action: BulkAction,
    priority: z.number().int().nullable(),
    status: z.enum(['waiting', 'running', 'done', 'failed']),
    progress: z.object({
      total: Count.describe('Tasks selected when it was asked for'),
      done: Count.describe('Looked at so far: changed or skipped'),
      changed: Count.describe('A cancel that was only requested counts: the run is being stopped'),
      skipped: Count.describe('Had moved on by then'),
    }),
    undoable: Count.describe(
      'Tasks that POST /api/v1/bulk/{id}/undo can put back now: waiting ones that were cancelled, priorities',
    ),
    undoes: Id.nullable().describe('The operation that this one takes back'),
    error: z.string().nullable(),
    actor: z.string(),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: 'BulkOperation' });
export type BulkOperation = z.infer<typeof BulkOperation>;
