import { z } from 'zod';
import { TaskStatus } from './api';
import { TASK_SORTS } from './task-sorts';
import { text } from './text';

/** What the HTTP API accepts: paths, queries and bodies. */

/** `?status=a&status=b` and `?status=a,b` mean the same; an empty value means no filter. */
const oneOrMore = <T extends z.ZodType>(item: T) => listOf(item, (part) => part.split(','));

/** Repeated only: a client's name may hold a comma. */
const repeated = <T extends z.ZodType>(item: T) => listOf(item, (part) => [part]);

function listOf<T extends z.ZodType>(item: T, split: (part: string) => string[]) {
  return z.preprocess((value) => {
    const list = (Array.isArray(value) ? value : [value])
      .flatMap((part: unknown) => (typeof part === 'string' ? split(part) : [part]))
      .filter((part) => part !== '' && part !== undefined);
    return list.length === 0 ? undefined : list;
  }, z.array(item).max(100).optional());
}

/** An absent and an empty value mean the same. */
const filled = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const label = (max: number) => text(max).pipe(z.string().trim().min(1));
const Limit = filled(z.coerce.number().int().min(1).max(200)).transform((value) => value ?? 50);
const Cursor = filled(z.string().max(1_000));
/** Also a date alone (`2026-11-29` = midnight UTC); years 1–9999, which Postgres and JavaScript both know. */
export const When = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((value) => new Date(value).toISOString())
  .refine((value) => /^\d{4}-/.test(value) && !value.startsWith('0000'), 'a year between 1 and 9999');

export const IdParams = z.object({ id: z.guid() });
export const AgentParams = z.object({ id: text(100).pipe(z.string().min(1)) });

const Priority = z.coerce.number().int().min(0).max(100);

/** Fields of a new extraction; in a multipart body they precede the files. */
export const NewExtraction = z
  .object({
    agent: label(100),
    client: filled(label(200)).nullish(),
    name: filled(label(200)).nullish(),
    priority: filled(Priority).nullish(),
  })
  .meta({ id: 'NewExtraction' });
export type NewExtraction = z.infer<typeof NewExtraction>;

export const TaskFilters = z.object({
  status: oneOrMore(TaskStatus),
  agent: oneOrMore(text(100)),
  client: repeated(text(200)),
  extraction: oneOrMore(z.guid()),
  errorCode: oneOrMore(text(100)),
  from: filled(When).describe('Created at or after'),
  to: filled(When).describe('Created before'),
});
export type TaskFilters = z.infer<typeof TaskFilters>;

export const TaskSort = z.enum(TASK_SORTS);

export const TaskListQuery = TaskFilters.extend({
  q: filled(text(200)).describe('Part of a file name, client or error, or a whole id'),
  id: oneOrMore(z.guid()).describe(
    'These tasks as they are now; the other filters, the order and the pages do not count',
  ),
  sort: filled(TaskSort).transform((value) => value ?? '-created'),
  cursor: Cursor,
  limit: Limit,
});
export type TaskListQuery = z.infer<typeof TaskListQuery>;

export const ExtractionListQuery = z.object({
  client: repeated(text(200)),
  agent: oneOrMore(text(100)),
  q: filled(text(200)),
  cursor: Cursor,
  limit: Limit,
});
export type ExtractionListQuery = z.infer<typeof ExtractionListQuery>;

export const ExportQuery = z.object({ format: z.enum(['csv', 'xlsx', 'json']) });

export const TaskPatch = z.strictObject({ priority: z.number().int().min(0).max(100) });
export type TaskPatch = z.infer<typeof TaskPatch>;

/** What an operator may change of an agent; only what is there is changed. `null` = no own limit. */
export const AgentPatch = z
  .strictObject({
    maxConcurrentTasks: z.number().int().min(0).max(1_000_000).nullable(),
    maxTpm: z.number().int().min(1).max(2_000_000_000).nullable(),
    leaseSeconds: z.number().int().min(5).max(3600).nullable(),
    maxAttempts: z.number().int().min(1).max(100),
    maxRunSeconds: z.number().int().min(1).max(86_400),
    retryBaseSeconds: z.number().min(0).max(3600),
    retryFactor: z.number().min(1).max(10),
    retryCapSeconds: z.number().min(0).max(86_400),
    paused: z.boolean(),
    draining: z.boolean(),
    oversize: z.enum(['run_alone', 'hold']),
    fair: z.boolean(),
    ageingSeconds: z.number().int().min(1).max(604_800).nullable(),
  })
  .partial()
  .meta({ id: 'AgentPatch' });
export type AgentPatch = z.infer<typeof AgentPatch>;

/** Page by page, newest first; the cursor is a number that grows with time. */
export const AgentHistoryQuery = z.object({
  cursor: filled(z.string().regex(/^[1-9]\d{0,17}$/, 'not one that this list gave out')),
  limit: Limit,
});
export type AgentHistoryQuery = z.infer<typeof AgentHistoryQuery>;
