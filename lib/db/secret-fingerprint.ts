import { sql } from 'drizzle-orm';
import type { Db } from './client';

/**
 * Notes the fingerprint of WEBHOOK_SECRET in the database, or compares it: two processes with different secrets would
 * refuse each other's callbacks, hours later and without a reason that anybody sees.
 */
export async function claimSecret(db: Db, fingerprint: string): Promise<void> {
  const { rows } = await db.execute<{ secret_fingerprint: string }>(sql`
    /* db.claim_secret */
    insert into tickmark.settings (id, secret_fingerprint) values (1, ${fingerprint})
    on conflict (id) do update
    set secret_fingerprint = coalesce(tickmark.settings.secret_fingerprint, excluded.secret_fingerprint)
    returning secret_fingerprint`);
  if (rows[0]?.secret_fingerprint !== fingerprint) {
    throw new Error(
      'WEBHOOK_SECRET: this database is used with another secret; set the same one here, or use the data folder that holds it',
    );
  }
}
