import { sql } from 'drizzle-orm';
import { bigint, boolean, check, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { at, tickmark, usd } from './schema';

/** One row: the ceilings over all agents and who this database is. Written by the supervisor at each start. */
export const settings = tickmark.table(
  'settings',
  {
    id: integer('id').primaryKey().default(1),
    /** MAX_CONCURRENT_TASKS; null = none */
    maxConcurrentTasks: integer('max_concurrent_tasks'),
    /** MAX_TPM; null = none */
    maxTpm: integer('max_tpm'),
    /** Budgets count what was used within the last minute besides what is in flight (docs/decisions/0006). */
    countRecentTokens: boolean('count_recent_tokens').notNull().default(true),
    /** Part of every idempotency token: a copy of this database can't catch a production run. */
    environmentId: text('environment_id')
      .notNull()
      .default(sql`substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)`),
    /** Hash of WEBHOOK_SECRET: a process with another secret refuses to start. */
    secretFingerprint: text('secret_fingerprint'),
    /** Where this database is at home: elsewhere it is a copy, which must not act (lib/queue/home.ts). null = nowhere yet. The form: lib/queue/place.ts. */
    home: text('home'),
    /** Found elsewhere than at home. */
    isCopy: boolean('is_copy').notNull().default(false),
    /** When live attempts that act for no task were last looked for. */
    straysCheckedAt: at('strays_checked_at').notNull().default(sql`'-infinity'`),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('settings_one_row', sql`${t.id} = 1`),
    check('settings_limits', sql`${t.maxConcurrentTasks} >= 0 and ${t.maxTpm} >= 1`),
  ],
);

/** A sign of life per worker process. It decides about no task: leases do. */
export const workers = tickmark.table('workers', {
  id: text('id').primaryKey(),
  host: text('host').notNull(),
  pid: integer('pid').notNull(),
  version: text('version').notNull(),
  /** The newest migration that its code knows; null = it is too old to say so. */
  schemaVersion: bigint('schema_version', { mode: 'number' }),
  startedAt: at('started_at').notNull().defaultNow(),
  heartbeatAt: at('heartbeat_at').notNull().defaultNow(),
  /** Backend of its session, which holds its advisory lock; null until it has registered. */
  sessionPid: integer('session_pid'),
  /** Another worker saw its session gone and took its claims over; null again once it has registered anew. */
  lostAt: at('lost_at'),
  /** Per loop: `{agoMs, tookMs, runs, failures}`. */
  loops: jsonb('loops').notNull().default({}),
  /** Its metrics as prom-client gives them as JSON; written less often than the heartbeat. */
  metrics: jsonb('metrics'),
});

/** Price per million tokens, valid from a date on. */
export const modelPrices = tickmark.table(
  'model_prices',
  {
    model: text('model').notNull(),
    validFrom: at('valid_from').notNull(),
    inputUsdPerMillion: usd('input_usd_per_million').notNull(),
    cachedInputUsdPerMillion: usd('cached_input_usd_per_million').notNull(),
    cacheWriteUsdPerMillion: usd('cache_write_usd_per_million').notNull(),
    outputUsdPerMillion: usd('output_usd_per_million').notNull(),
    /** Not money that anybody is billed: the built-in rules model. */
    notional: boolean('notional').notNull().default(false),
    source: text('source').notNull(),
  },
  (t) => [primaryKey({ columns: [t.model, t.validFrom] })],
);

/** The first answer to a request that carried an `Idempotency-Key`, per caller and route. */
export const idempotencyKeys = tickmark.table(
  'idempotency_keys',
  {
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    /** Hash of what was asked: the same key for something else is refused. */
    requestHash: text('request_hash').notNull(),
    status: integer('status'),
    body: jsonb('body'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.key] })],
);

/** Roles given to people and service principals whom the workspace's proxy names (lib/auth/app-roles.ts). */
export const appRoles = tickmark.table(
  'app_roles',
  {
    /** E-mail address, client id, or numeric id of the workspace; in lower case. */
    subject: text('subject').primaryKey(),
    role: text('role').notNull(),
    setBy: text('set_by').notNull(),
    setAt: at('set_at').notNull().defaultNow(),
  },
  (t) => [check('app_roles_role', sql`${t.role} in ('auditor', 'operator', 'admin')`)],
);

/** Who saw or changed what. */
export const auditLog = tickmark.table('audit_log', {
  id: uuid('id').primaryKey().defaultRandom(),
  at: at('at').notNull().defaultNow(),
  actor: text('actor').notNull(),
  action: text('action').notNull(),
  subject: text('subject').notNull(),
  details: jsonb('details'),
});
