import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { type TakenTask, takeClaimsOf } from './expired-leases';
import type { WorkerProcess } from './worker-heartbeat';

/** First key of the advisory locks that workers hold, each in one session, for as long as that lives. */
const SESSIONS = 1953063788;

/** One database session: what is asked in it shares its locks. */
export interface Session {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/**
 * Registers a worker in its session: a shared lock that the server drops with the session, however that ended, and the
 * worker's row. Called anew for each new session. The lock comes first: a row without it would look lost.
 */
export async function registerWorker(session: Session, worker: WorkerProcess): Promise<void> {
  // A machine that vanished closes no connection: its session ends after some 10 s without an answer.
  await session.query(
    'set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 10000',
  );
  await session.query('/* queue.hold_session */ select pg_advisory_lock_shared($1, hashtext($2))', [
    SESSIONS,
    worker.id,
  ]);
  await session.query(
    `/* queue.register */
    insert into tickmark.workers (id, host, pid, version, schema_version, session_pid) values ($1, $2, $3, $4, $5, pg_backend_pid())
    on conflict (id) do update
    set heartbeat_at = clock_timestamp(), session_pid = pg_backend_pid(), lost_at = null`,
    [worker.id, worker.host, worker.pid, worker.version, worker.schemaVersion ?? null],
  );
}

/** What a worker takes over from others. */
export interface Succession {
  /** Workers whose session is gone and was not before. */
  readonly lost: readonly string[];
  /** Their claims that have no run yet, now with a lease of the successor's. */
  readonly claims: readonly TakenTask[];
}

/**
 * Looks for workers whose session has vanished and takes their undispatched claims over: the same attempts, never new
 * ones. A vanished session is a hint, not proof of death. Where the worker lives on, both submit the same attempt,
 * which gives one run; where this successor dies in turn, its own successor finds the claims under its name.
 */
export async function succeedLost(
  db: Db,
  successor: { readonly workerId: string; readonly leaseSeconds: number },
): Promise<Succession> {
  // Mostly there is nobody, and then one statement without a transaction is all.
  if ((await findLost(db, successor.workerId)).length === 0) return { lost: [], claims: [] };
  return withTransaction(db, async (tx) => {
    // The lock is now held to the end: who registers anew waits for it, and is then there again.
    const found = await findLost(tx, successor.workerId);
    if (found.length === 0) return { lost: [], claims: [] };
    const lost = found.filter(({ isNew }) => isNew).map(({ id }) => id);
    await tx.execute(sql`
      /* queue.mark_lost */
      update tickmark.workers set lost_at = clock_timestamp() where id = any(${sql.param(lost)}::text[])`);
    return { lost, claims: await takeClaimsOf(tx, { ...successor, lost: found.map(({ id }) => id) }) };
  });
}

/**
 * After a worker was found lost its claims are looked for so much longer: the server may carry one out for it after that,
 * as it notices only within a second or so that a client is gone.
 */
const LINGER_SECONDS = 10;

/** Workers that registered and whose lock nobody holds. Of several who look at once each finds others. */
async function findLost(db: Db | Tx, ownId: string): Promise<{ id: string; isNew: boolean }[]> {
  const { rows } = await db.execute<{ id: string; isNew: boolean }>(sql`
    /* queue.find_lost */
    with others as materialized (
      select id, lost_at is null as is_new from tickmark.workers
      where id <> ${ownId} and session_pid is not null
        and (lost_at is null or lost_at > clock_timestamp() - make_interval(secs => ${LINGER_SECONDS}))
    )
    select id, is_new as "isNew" from others where pg_try_advisory_xact_lock(${SESSIONS}, hashtext(id))`);
  return rows;
}
