import { type SQL, sql } from 'drizzle-orm';

/** A heartbeat comes every 3 s; one that is slow (a busy database, a paused machine) is not a death. */
const SILENT_SECONDS = 30;
/** Where its session has ended too, missing three heartbeats is enough. */
const SILENT_WITHOUT_SESSION_SECONDS = 9;

/**
 * Whether a row `w` of `workers` stands for a process that is likely alive: for people and metrics, never for a
 * decision about a task. One that another worker found lost is gone at once, unless it was heard of after that (it works
 * on without a session). Where nobody is left to find it, its ended session makes the silence that it takes shorter.
 */
export function workerIsAlive(): SQL {
  return sql`(
    (w.lost_at is null or w.heartbeat_at > w.lost_at)
    and w.heartbeat_at > clock_timestamp() - make_interval(secs => case
      when w.session_pid is null or exists (select from pg_stat_get_activity(w.session_pid)) then ${SILENT_SECONDS}::int
      else ${SILENT_WITHOUT_SESSION_SECONDS}::int end)
  )`;
}
