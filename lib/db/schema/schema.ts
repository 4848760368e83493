import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, customType, pgSchema, timestamp } from 'drizzle-orm/pg-core';

/** Everything lives in a schema of its own; `public` is not ours on a shared database. */
export const tickmark = pgSchema('tickmark');

/** Ascending with time: what is written together lies together in an index. */
export const NEW_ID = sql`tickmark.new_id()`;

/** An instant. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Exact money: US dollars as a decimal string, all digits kept. */
export const usd = customType<{ data: string; driverData: string }>({ dataType: () => 'numeric(24, 12)' });

/**
 * For a check: instants that SQL can reckon with and JavaScript can show. `infinity` or a year of five digits, set by
 * hand in one row, would make every list that it is in fail.
 */
export function instants(...columns: AnyPgColumn[]): SQL {
  const each = columns.map((column) => sql`${column} between '1970-01-01Z' and '9999-12-31Z'`);
  return sql.join(each, sql` and `);
}
