import { sql } from 'drizzle-orm';
import type { Db } from './client';

const MOST = 10;
const LEAST = 3;
/** App and worker, old and new beside each other during a deploy. */
const PROCESSES = 4;
/** The rest is for people, for replicas and for what the platform connects by itself. */
const SHARE = 0.8;

/**
 * Makes a pool no larger than the server has connections for: a small Lakebase compute allows 104, and another size
 * another number (it follows the largest compute that autoscaling may reach). One more of each process listens.
 */
export async function fitPool(db: Db): Promise<void> {
  const { rows } = await db.execute<{ usable: number }>(sql`
    /* db.usable_connections */
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as usable`);
  const usable = rows[0]?.usable ?? 100;
  db.$client.options.max = poolSize(usable, db.$client.options.max);
}

/** @param most what the pool may have anyway */
export function poolSize(usable: number, most = MOST): number {
  return Math.min(most, Math.max(LEAST, Math.floor((usable * SHARE) / PROCESSES) - 1));
}
