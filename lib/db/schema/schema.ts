import { customType, pgSchema } from 'drizzle-orm/pg-core';

/** Everything lives in a schema of its own; `public` is not ours on a shared database. */
export const tickmark = pgSchema('tickmark');

/** Exact money: US dollars as a decimal string, all digits kept. */
export const usd = customType<{ data: string; driverData: string }>({ dataType: () => 'numeric(24, 12)' });
