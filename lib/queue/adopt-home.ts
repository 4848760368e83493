import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';
import { findWhereabouts, type Whereabouts } from './home';
import { formatPlace } from './place';
import { snoozeAttempt } from './snooze';

/** Said where a database may be the live one and only its place's name could tell. */
export const PLACE_NOT_TOLD =
  'It is not known whether this database is live: it is at home in a place that has a name. Set LAKEBASE_ENDPOINT (or LAKEBASE_INSTANCE) to the one that DATABASE_URL leads to.';

/**
 * Says that this database is live here: its own environment id from now on, so that none of its idempotency tokens is
 * one of the original's; attempts that were under way in the original are given back uncounted, and their tasks wait anew.
 * The original's runs are neither asked about nor stopped, and their files are left alone. Leaves an entry in the audit log.
 * Throws `conflict` where the place can't be told, or a worker works here.
 * @returns how many attempts were given back; null where it was live here already
 */
export async function adoptHome(
  db: Db,
  { named, actor }: { readonly named: string | null; readonly actor: string },
): Promise<number | null> {
  return withTransaction(db, async (tx) => {
    const found = await lockWhereabouts(tx, named);
    if (found.is === 'here') return null;
    if (found.is === 'unknown' && named === null) throw new DomainError('conflict', PLACE_NOT_TOLD);
    await refuseWhereWorked(tx);
    const returned = await giveBack(tx, actor);
    await tx.execute(sql`
      /* queue.forget_runs */
      update tickmark.task_attempts set run_stopped_at = clock_timestamp()
      where finished_at is not null and run_stopped_at is null`);
    await tx.execute(
      sql`/* queue.forget_workers */ delete from tickmark.workers where session_pid is not null`,
    );
    const place = formatPlace(found.place);
    await tx.execute(sql`
      /* queue.adopt */
      update tickmark.settings
      set home = ${place}, is_copy = false, environment_id = substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)
      where id = 1`);
    // When it was tells which attempts are the original's (findOver).
    await tx.execute(sql`
      /* queue.note_adoption */
      insert into tickmark.audit_log (at, actor, action, subject, details)
      values (clock_timestamp(), ${actor}, 'database.adopt', 'settings', ${JSON.stringify({ from: found.home, to: place, returned })}::jsonb)`);
    return returned;
  });
}

/** Compares, and lets nobody note a home until the transaction ends. */
export async function lockWhereabouts(tx: Tx, named: string | null): Promise<Whereabouts> {
  await tx.execute(sql`/* queue.lock_home */ select id from tickmark.settings where id = 1 for update`);
  return findWhereabouts(tx, named);
}

/**
 * Throws `conflict` where a worker was at work within the last minute: then the database is live, whatever its place seems
 * to be. One that stands by in a copy has no session.
 */
export async function refuseWhereWorked(tx: Tx): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    /* queue.at_work */
    select id from tickmark.workers
    where session_pid is not null and heartbeat_at > clock_timestamp() - interval '1 minute' limit 1`);
  if (!rows[0]) return;
  throw new DomainError(
    'conflict',
    `The worker ${rows[0].id} was at work in this database within the last minute. Stop it if it works here; in a copy that was just made, wait for a minute.`,
  );
}

async function giveBack(tx: Tx, actor: string): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    /* queue.open_attempts */
    select current_attempt_id as id from tickmark.tasks where status = 'processing' and current_attempt_id is not null`);
  for (const { id } of rows) {
    const reason = 'under way in the database that this one is a copy of';
    await snoozeAttempt(tx, {
      attemptId: id,
      delaySeconds: 0,
      reason,
      workerId: 'adopt',
      actor,
      runStopped: true,
    });
  }
  return rows.length;
}
