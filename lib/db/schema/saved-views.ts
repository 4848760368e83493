import { sql } from 'drizzle-orm';
import { check, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { tickmark } from './schema';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Filters that a person has saved under a name; nobody else sees them. */
export const savedViews = tickmark.table(
  'saved_views',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The person's id. */
    owner: text('owner').notNull(),
    /** The page that they belong to. */
    page: text('page').notNull(),
    name: text('name').notNull(),
    /** The filters as they stand in the page's address, without the question mark. */
    search: text('search').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    // Saved again under the same name, it is replaced.
    uniqueIndex('saved_views_by_name').on(t.owner, t.page, sql`lower(name)`),
    check('saved_views_page', sql`${t.page} in ('overview', 'tasks', 'spend')`),
    check(
      'saved_views_lengths',
      sql`length(${t.name}) between 1 and 100 and length(${t.search}) <= 2000 and length(${t.owner}) <= 500`,
    ),
  ],
);
