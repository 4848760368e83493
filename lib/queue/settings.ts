import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';

/** Ceilings over all agents; null = none. */
export interface Ceilings {
  readonly maxConcurrentTasks: number | null;
  /** Tokens per minute. */
  readonly maxTpm: number | null;
}

export interface Settings extends Ceilings {
  /** Part of every idempotency token. */
  readonly environmentId: string;
  readonly secretFingerprint: string | null;
}

/** The one row of settings. Throws `unavailable` before the first migration has seeded it. */
export async function readSettings(db: Queryable): Promise<Settings> {
  const { rows } = await db.execute<{
    max_concurrent_tasks: number | null;
    max_tpm: number | null;
    environment_id: string;
    secret_fingerprint: string | null;
  }>(sql`
    /* queue.read_settings */
    select max_concurrent_tasks, max_tpm, environment_id, secret_fingerprint from tickmark.settings where id = 1`);
  const row = rows[0];
  if (!row) throw new DomainError('unavailable', 'The database is not set up yet. Run `npm run db:migrate`.');
  return {
    maxConcurrentTasks: row.max_concurrent_tasks,
    maxTpm: row.max_tpm,
    environmentId: row.environment_id,
    secretFingerprint: row.secret_fingerprint,
  };
}

/** Sets the ceilings; waits for claims under way, and every later one counts against the new ones. */
export async function writeCeilings(db: Queryable, ceilings: Ceilings): Promise<void> {
  await withTransaction(db, async (tx) => {
    // The trigger that keeps `agent_history` asks who it was.
    await tx.execute(sql`/* queue.name_actor */ select set_config('tickmark.actor', 'start', true)`);
    await tx.execute(sql`
      /* queue.write_ceilings */
      update tickmark.settings
      set max_concurrent_tasks = ${ceilings.maxConcurrentTasks}, max_tpm = ${ceilings.maxTpm}, updated_at = now()
      where id = 1`);
  });
}

/**
 * Notes which WEBHOOK_SECRET this database's runs are signed with, if none is noted yet.
 * @returns whether `fingerprint` is the one noted: a process with another secret must not start
 */
export async function claimSecretFingerprint(db: Queryable, fingerprint: string): Promise<boolean> {
  const { rows } = await db.execute<{ same: boolean }>(sql`
    /* queue.claim_fingerprint */
    update tickmark.settings
    set secret_fingerprint = coalesce(secret_fingerprint, ${fingerprint})
    where id = 1
    returning secret_fingerprint = ${fingerprint} as same`);
  return rows[0]?.same ?? false;
}
