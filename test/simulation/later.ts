/** What time does, so that no test waits for it. Each makes something as old as it would be later. */
export const LATER = {
  due: inOrder(
    'available_at = clock_timestamp()',
    "status = 'enqueued' and available_at > clock_timestamp()",
  ),
  cool: `update tickmark.agents set cooling_until = clock_timestamp() - interval '1 second' where cooling_until > clock_timestamp()`,
  quiet: `update tickmark.agents set adapted_at = clock_timestamp() - interval '16 seconds',
      cooling_until = cooling_until - interval '16 seconds', lowered_at = clock_timestamp() - interval '61 seconds'
    where adapted_at is not null`,
  forgotten: `with locked as materialized (
      select id from tickmark.task_attempts where finished_at is not null and run_stopped_at is not null
      order by task_id, number for update
    )
    update tickmark.task_attempts a
    set finished_at = finished_at - interval '61 seconds', run_stopped_at = run_stopped_at - interval '61 seconds'
    from locked where a.id = locked.id`,
  blocked: inOrder("blocked_since = clock_timestamp() - interval '31 seconds'", 'blocked_since is not null'),
} as const;

/** Locks tasks in the order in which everybody does; otherwise a deadlock would be the simulation's own. */
function inOrder(set: string, where: string): string {
  return `with locked as materialized (select id from tickmark.tasks where ${where} order by id for update)
    update tickmark.tasks t set ${set} from locked where t.id = locked.id`;
}
