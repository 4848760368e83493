import { sql } from 'drizzle-orm';
import type { Db, Queryable } from '@/lib/db/client';
import { comparePlaces, completeHome, type Place } from './place';

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

/**
 * For the processes that work with a database, which also note what they find.
 * @param named what the platform calls this place, such as a branch; null = the server's own words for it
 */
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

/** Where a database was found, and what that makes of it. */
export interface Whereabouts {
  /**
   * `here`: at home, or at home nowhere yet. `elsewhere`: surely a copy. `unknown`: only the platform's name for the place
   * could tell, and it was not given.
   */
  readonly is: 'here' | 'elsewhere' | 'unknown';
  /** null = nowhere yet. */
  readonly home: string | null;
  readonly isNotedCopy: boolean;
  readonly place: Place;
  readonly environmentId: string;
}

/** Compares without noting anything. */
export async function findWhereabouts(db: Queryable, named: string | null): Promise<Whereabouts> {
  const { rows } = await db.execute<{
    home: string | null;
    isNotedCopy: boolean;
    environmentId: string;
    database: string;
    restored: boolean;
  }>(sql`
    /* queue.find_home */
    select s.home, s.is_copy as "isNotedCopy", s.environment_id as "environmentId",
      (select oid from pg_database where datname = current_database())::text as database,
      s.home is null and (s.is_copy or ${wasRestoredInFlight()}) as restored
    from tickmark.settings s where s.id = 1`);
  const found = rows[0];
  if (!found) throw new Error('the database has no settings');
  const { home, isNotedCopy, environmentId, database } = found;
  const place = { name: named, server: await readServer(db), database };
  const withoutHome = found.restored ? 'elsewhere' : 'here';
  const is = home === null ? withoutHome : comparePlaces(home, place);
  return { is, home, isNotedCopy, place, environmentId };
}

/** Everybody may ask for it, unless who runs the server has taken that away. */
async function readServer(db: Queryable): Promise<string | null> {
  const { rows } = await db.execute<{ may: boolean }>(
    sql`/* queue.may_ask_server */ select has_function_privilege('pg_control_system()', 'execute') as may`,
  );
  if (!rows[0]?.may) return null;
  const answer = await db.execute<{ server: string }>(
    sql`/* queue.ask_server */ select system_identifier::text as server from pg_control_system()`,
  );
  return answer.rows[0]?.server ?? null;
}

/**
 * Whether tasks in flight came out of a dump. That one is from before databases noted their home, where an upgrade in
 * place must go on: there a task was enqueued by one transaction and claimed by a later one, while a restore writes all
 * of its history in one. (A dump as single inserts is not noticed.)
 */
function wasRestoredInFlight() {
  return sql`exists (
    select from tickmark.tasks t
    cross join lateral (
      select count(*) as events, count(distinct e.xmin::text) as writers from tickmark.task_events e where e.task_id = t.id
    ) e
    where t.status = 'processing' and e.events > 1 and e.writers = 1)`;
}

/**
 * Compares, and notes the outcome where people look for it (`settings.is_copy`); what could not be told is not noted, as
 * the database may well be live for others. A home in the older form is completed where it matches.
 */
export async function checkHome(db: Queryable, named: string | null): Promise<boolean> {
  const { is, home, isNotedCopy, place } = await findWhereabouts(db, named);
  if (is === 'unknown') return false;
  const isCopy = is === 'elsewhere';
  const current = isCopy ? home : completeHome(home, place);
  if (isNotedCopy !== isCopy || home !== current) {
    await db.execute(sql`
      /* queue.note_home */
      update tickmark.settings set home = ${current}, is_copy = ${isCopy}
      where id = 1 and home is not distinct from ${home}`);
  }
  return !isCopy;
}
