import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, text, uuid } from 'drizzle-orm/pg-core';
import { agents } from './agents';
import { at, instants, tickmark } from './schema';

/** Whom work is done for. The tier sets the default priority: standard 50, premium 70. */
export const clients = tickmark.table(
  'clients',
  {
    name: text('name').primaryKey(),
    tier: text('tier').notNull().default('standard'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [
    check('clients_tier', sql`${t.tier} in ('standard', 'premium')`),
    check('clients_name_length', sql`length(${t.name}) between 1 and 200`),
  ],
);

/** One submission: a set of documents for one client with one agent. Its state is a pure function of its tasks. */
export const extractions = tickmark.table(
  'extractions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    client: text('client').references(() => clients.name),
    name: text('name').notNull(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id),
    priority: integer('priority').notNull().default(50),
    submittedBy: text('submitted_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [
    check('extractions_priority_range', sql`${t.priority} between 0 and 100`),
    check('extractions_instants', instants(t.createdAt)),
    index('extractions_by_created').on(t.createdAt, t.id),
  ],
);

/** One row per upload; the bytes are stored once by hash. */
export const documents = tickmark.table(
  'documents',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    extractionId: uuid('extraction_id').references(() => extractions.id),
    sha256: text('sha256').notNull(),
    filename: text('filename').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    /** null until inspected, and where it could not be read */
    pageCount: integer('page_count'),
    /** Characters of its text layer; null like the page count */
    textChars: integer('text_chars'),
    /** Until then one worker is inspecting it; the others leave it alone. */
    inspectingUntil: at('inspecting_until'),
    /** That worker; once it is known to be lost, nobody waits for it. */
    inspectingBy: text('inspecting_by'),
    storageUri: text('storage_uri').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [
    check('documents_size', sql`${t.sizeBytes} > 0`),
    check('documents_instants', instants(t.inspectingUntil, t.createdAt)),
    check('documents_sha256', sql`${t.sha256} ~ '^[0-9a-f]{64}$'`),
    index('documents_by_sha256').on(t.sha256),
  ],
);
