import { sql } from 'drizzle-orm';
import type { Db, Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { endCurrent } from './settle-gone';

/**
 * A copy of a database (a branch, a restored snapshot, a dump) holds the leases, runs and waiting tasks of the original.
 * So a database notes where it is at home; found elsewhere it is a copy, which dispatches nothing, stops nothing and
 * takes no callback until a person says that it is live (`adoptHome`).
 */
export interface Home {
  /** Whether this database is where it belongs; the first to ask makes its place the home. */
  isHere(): Promise<boolean>;
}

/** So often it is looked again; a new connection may lead to other data (a branch that was reset), so then at once. */
const LOOK_AGAIN_MS = 5_000;

/** @param named what the platform calls this place, such as a branch; null = the server's own words for it */
export function createHome(db: Db, named: string | null): Home {
  let known: { readonly here: boolean; readonly until: number } | undefined;
  db.$client.on('connect', () => {
    known = undefined;
  });
  return {
    async isHere() {
      if (known && performance.now() < known.until) return known.here;
      const here = await checkHome(db, named);
      known = { here, until: performance.now() + LOOK_AGAIN_MS };
      return here;
    },
  };
}

/** Compares, and notes the outcome where people look for it (`settings.is_copy`). */
export async function checkHome(db: Queryable, named: string | null): Promise<boolean> {
  const place = await readPlace(db, named);
  const { rows } = await db.execute<{ here: boolean; noted: boolean }>(sql`
    /* queue.check_home */
    select coalesce(home, ${place}) = ${place} as here, home is not null and is_copy = (home <> ${place}) as noted
    from tickmark.settings where id = 1`);
  const found = rows[0];
  if (!found) return false;
  if (!found.noted) {
    await db.execute(sql`
      /* queue.note_home */
      update tickmark.settings set home = coalesce(home, ${place}), is_copy = coalesce(home, ${place}) <> ${place}
      where id = 1`);
  }
  return found.here;
}

/**
 * Says that this database is live here: its own environment id from now on, so that none of its idempotency tokens is
 * one of the original's; attempts that were under way in the original are lost to this one, and their tasks wait anew.
 * The original's runs are neither asked about nor stopped. Leaves an entry in the audit log.
 * @returns how many attempts were ended
 */
export async function adoptHome(
  db: Db,
  { named, actor }: { readonly named: string | null; readonly actor: string },
): Promise<number> {
  const place = await readPlace(db, named);
  return withTransaction(db, async (tx) => {
    const { rows } = await tx.execute<{ home: string | null }>(sql`
      /* queue.lock_home */
      select home from tickmark.settings where id = 1 for update`);
    const from = rows[0]?.home ?? null;
    if (from === place) return 0;
    const open = await tx.execute<{ id: string }>(sql`
      /* queue.open_attempts */
      select current_attempt_id as id from tickmark.tasks where status = 'processing' and current_attempt_id is not null`);
    for (const { id } of open.rows) {
      const message = 'It ran in the database that this one is a copy of.';
      await endCurrent(tx, id, { as: 'lost', code: 'run_lost', message, retryable: true });
    }
    await tx.execute(sql`
      /* queue.forget_runs */
      update tickmark.task_attempts set run_stopped_at = clock_timestamp()
      where finished_at is not null and run_stopped_at is null`);
    await tx.execute(
      sql`/* queue.forget_workers */ delete from tickmark.workers where session_pid is not null`,
    );
    await tx.execute(sql`
      /* queue.adopt */
      update tickmark.settings
      set home = ${place}, is_copy = false, environment_id = substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)
      where id = 1`);
    await tx.execute(sql`
      /* queue.note_adoption */
      insert into tickmark.audit_log (actor, action, subject, details)
      values (${actor}, 'database.adopt', 'settings', ${JSON.stringify({ from, to: place, ended: open.rows.length })}::jsonb)`);
    return open.rows.length;
  });
}

/** A restored or copied database has another number on the same server, or is on another server. */
async function readPlace(db: Queryable, named: string | null): Promise<string> {
  if (named !== null) return named;
  const { rows } = await db.execute<{ place: string }>(sql`
    /* queue.read_place */
    select format('postgres:%s/%s', (select system_identifier from pg_control_system()),
      (select oid from pg_database where datname = current_database())) as place`);
  return rows[0]?.place ?? 'postgres';
}
