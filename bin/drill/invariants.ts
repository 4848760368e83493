import type { Findings } from './drill';
import { until } from './until';
import { CEILING, type World } from './world';

interface CheckOptions {
  /** For everything to become final; default 90. */
  readonly patienceSeconds?: number;
  /** Of attempts in flight, where it is not the usual one. */
  readonly limit?: number;
}

/**
 * Waits until every task is final and no run is left, then counts from the rows what must never be: lost, doubled,
 * over the limit, out of order.
 */
export async function checkInvariants(
  world: World,
  findings: Findings,
  options: CheckOptions = {},
): Promise<void> {
  const settled = until(
    'everything to be final',
    async () => {
      const [open] = await world.query<{ count: number }>(`
        select (select count(*) from tickmark.tasks where status in ('enqueued', 'processing'))::integer
          + (select count(*) from tickmark.task_attempts
             where status in ('claimed', 'running') or (status = 'superseded' and run_stopped_at is null))::integer
          as count`);
      return open?.count === 0;
    },
    options.patienceSeconds ?? 90,
  );
  await settled.catch(() => undefined);
  const lost = await world.countIn('enqueued', 'processing');
  const tasks = await world.countIn('enqueued', 'processing', 'completed', 'failed', 'cancelled');
  const doubled = await countDoubled(world);
  findings.note(`${tasks} tasks, ${lost} lost, ${doubled} doubled`);
  findings.expect(lost === 0, `${lost} tasks are not final`);
  findings.expect(doubled === 0, `${doubled} tasks or attempts are doubled`);
  await checkAttempts(world, findings);
  await checkLimit(world, findings, options.limit ?? CEILING);
}

/** Tasks with two completions, attempts with two runs. */
async function countDoubled(world: World): Promise<number> {
  const completions = await world.query(`
    select task_id from tickmark.task_events where to_status = 'completed' group by task_id having count(*) > 1`);
  const runs = [...(await world.begun()).values()].filter((times) => times > 1);
  return completions.length + runs.length;
}

async function checkAttempts(world: World, findings: Findings): Promise<void> {
  const live = await world.query(`
    select 1 from tickmark.task_attempts
    where status in ('claimed', 'running') or (status = 'superseded' and run_stopped_at is null)`);
  findings.expect(live.length === 0, `${live.length} attempts still count as in flight`);
  const miscounted = await world.query(`
    select t.id from tickmark.tasks t
    left join tickmark.task_attempts a on a.task_id = t.id and a.status <> 'snoozed'
    group by t.id having count(a.id) <> t.attempt_count`);
  findings.expect(
    miscounted.length === 0,
    `${miscounted.length} tasks have another number of attempts than counted`,
  );
  const jumps = await world.query(`
    select 1 from (
      select from_status, lag(to_status) over (partition by task_id order by id) as before from tickmark.task_events
    ) step
    where before is distinct from from_status`);
  findings.expect(
    jumps.length === 0,
    `${jumps.length} steps in the history do not follow from the one before`,
  );
}

/** The most that were in flight at any instant; one that ends as another begins makes room for it. */
async function checkLimit(world: World, findings: Findings, limit: number): Promise<void> {
  const [row] = await world.query<{ most: number | null }>(`
    select max(in_flight)::integer as most from (
      select sum(change) over (order by at, change) as in_flight
      from (
        select claimed_at as at, 1 as change from tickmark.task_attempts
        union all
        select case when status = 'superseded' then greatest(finished_at, run_stopped_at) else finished_at end, -1
        from tickmark.task_attempts
      ) step
      where at is not null
    ) instant`);
  const most = row?.most ?? 0;
  findings.expect(most <= limit, `${most} attempts were in flight at once, against a limit of ${limit}`);
}
