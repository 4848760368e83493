import { z } from 'zod';
import { Count, Id, Instant } from './api';

/** What `GET /api/v1/health` tells operators: the state of every part, and what needs a person. */

const Seconds = z.number().min(0);

export const LoopSigns = z.object({
  name: z.string(),
  ageSeconds: Seconds.describe('Since its last run began'),
  tookMs: z.number().min(0),
  runs: Count,
  failures: Count,
});
export type LoopSigns = z.infer<typeof LoopSigns>;

export const WorkerHealth = z
  .object({
    id: Id,
    host: z.string(),
    pid: z.number().int(),
    version: z.string(),
    schemaVersion: z.number().int().nullable().describe('The newest migration that its code knows'),
    alive: z.boolean(),
    startedAt: Instant,
    heartbeatAt: Instant,
    silentSeconds: Seconds,
    loops: z.array(LoopSigns),
  })
  .meta({ id: 'WorkerHealth' });
export type WorkerHealth = z.infer<typeof WorkerHealth>;

export const TableHealth = z
  .object({
    name: z.string(),
    liveRows: Count.describe('As last estimated'),
    deadRows: Count.describe('Not vacuumed yet'),
    totalBytes: Count,
    indexBytes: Count,
    vacuumedAt: Instant.nullable(),
  })
  .meta({ id: 'TableHealth' });
export type TableHealth = z.infer<typeof TableHealth>;

export const Snapshot = z
  .object({
    pid: z.number().int(),
    application: z.string(),
    user: z.string(),
    state: z.string(),
    ageSeconds: Seconds,
  })
  .meta({ id: 'Snapshot' });
export type Snapshot = z.infer<typeof Snapshot>;

export const DatabaseHealth = z
  .object({
    version: z.string(),
    schemaVersion: z.number().int().nullable(),
    sizeBytes: Count,
    connections: Count,
    maxConnections: Count,
    oldestSnapshot: Snapshot.nullable().describe(
      'While it is held nothing that ended after it began can be vacuumed',
    ),
    tables: z.array(TableHealth).describe('The largest of them, largest first'),
  })
  .meta({ id: 'DatabaseHealth' });
export type DatabaseHealth = z.infer<typeof DatabaseHealth>;

export const TraceHealth = z
  .object({
    waiting: Count.describe('Attempts whose trace may still bring figures, those in flight too'),
    differLastDay: Count.describe('Attempts whose report and trace say different things'),
    missingLastDay: Count.describe('Attempts whose trace never came, or not all of it'),
    error: z.string().nullable().describe('Why a trace could not be read, the last time that one could not'),
  })
  .meta({ id: 'TraceHealth' });
export type TraceHealth = z.infer<typeof TraceHealth>;

export const CONCERN_CODES = [
  'database_copy',
  'no_worker',
  'sweeper_old',
  'loop_stuck',
  'schema_differs',
  'version_differs',
  'listener_down',
  'snapshot_held',
  'dead_rows',
  'connections',
  'disk',
  'leases_expired',
  'traces_unreadable',
  'traces_missing',
  'traces_differ',
] as const;

/** Something that needs a person, in words that say what to do. */
export const Concern = z
  .object({
    code: z.enum(CONCERN_CODES),
    urgency: z.enum(['now', 'soon']).describe('now: work stands still or soon will'),
    title: z.string(),
    advice: z.string().describe('What is safe, and what to do'),
  })
  .meta({ id: 'Concern' });
export type Concern = z.infer<typeof Concern>;

export const Health = z
  .object({
    at: Instant,
    concerns: z.array(Concern).describe('Most urgent first; empty: nothing needs a person'),
    app: z.object({
      version: z.string(),
      schemaVersion: z.number().int(),
      listener: z.enum(['live', 'down', 'unused']).describe('unused: nobody has looked on yet'),
      listenerDownSeconds: Seconds.nullable().describe('null: it is not down'),
      streams: Count.describe('Open event streams of this process'),
      pool: z.object({ total: Count, idle: Count, waiting: Count, max: Count }),
    }),
    isCopy: z
      .boolean()
      .describe('This database is a copy: nothing is dispatched until it is said to be live'),
    workers: z.array(WorkerHealth).describe('Also those that went silent within the last day'),
    sweeperAgeSeconds: Seconds.nullable().describe('null: no living worker has swept yet'),
    expiredLeases: Count.describe('In processing, with a lease that ended more than a minute ago'),
    database: DatabaseHealth,
    traces: TraceHealth.nullable().describe('null: no run was told to record one'),
    disk: z
      .object({ folder: z.string(), freeBytes: Count, totalBytes: Count })
      .nullable()
      .describe('Of the data folder; null where it can not be told'),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;
