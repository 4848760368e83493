import { type SQL, sql } from 'drizzle-orm';
import type { Db, Queryable } from '@/lib/db/client';
import { rankStragglers } from './rank-stragglers';

/** For so long after the wait that was asked for, without another: limits that were lowered go one step up. */
const QUIET_SECONDS = 15;
/** One step: to so many times what it was, and by one task at least. */
const STEP = 1.25;

/** What was done for agents; all 0 when there was nothing to do. */
export interface TuneReport {
  /** Agents whose lowered limits went up, or were lifted. */
  readonly raised: number;
  readonly drained: number;
}

/** Looks after agents: any worker, any number of them at once, as each step names the state that it is legal from. */
export async function tuneAgents(db: Db): Promise<TuneReport> {
  const raised = await raiseLimits(db);
  const drained = await noteDrained(db);
  await forgetFlows(db);
  await rankStragglers(db);
  return { raised, drained };
}

/**
 * The next step up of a row `g` of `agents` whose limits are lowered: what they become (null = lifted, or not lowered),
 * and from when on. Also for whoever shows it.
 */
export function nextStep(): { readonly tasks: SQL; readonly tpm: SQL; readonly dueAt: SQL } {
  const top = sql`coalesce(g.max_concurrent_tasks, 2 * g.lowered_from_tasks)`;
  const raised = sql`greatest(g.lowered_concurrent_tasks + 1, floor(g.lowered_concurrent_tasks * ${STEP}::float8)::integer)`;
  return {
    tasks: sql`case when g.lowered_concurrent_tasks < ${top} then nullif(least(${raised}, ${top}), ${top}) end`,
    // Without a budget there is nothing to come back to: it is lifted at once.
    tpm: sql`case when g.lowered_tpm < g.max_tpm
      then nullif(least(ceil(g.lowered_tpm * ${STEP}::float8), g.max_tpm), g.max_tpm)::integer end`,
    dueAt: sql`(greatest(g.adapted_at, g.cooling_until) + make_interval(secs => ${QUIET_SECONDS}))`,
  };
}

/**
 * Raises lowered limits by a step. One that has come back to the limit that is set is lifted; where none is, one that
 * has come to twice what was in flight when it was lowered.
 */
async function raiseLimits(db: Queryable): Promise<number> {
  const step = nextStep();
  const { rows } = await db.execute(sql`
    /* queue.raise_limits */
    with next as materialized (
      select g.id, ${step.tasks} as tasks, ${step.tpm} as tpm
      from tickmark.agents g
      where ${step.dueAt} < clock_timestamp()
        and (g.lowered_concurrent_tasks is not null or g.lowered_tpm is not null)
      for no key update skip locked
    )
    update tickmark.agents g
    set lowered_concurrent_tasks = next.tasks, lowered_tpm = next.tpm,
      adapted_at = clock_timestamp(),
      lowered_reason = case when next.tasks is not null or next.tpm is not null then g.lowered_reason end
    from next
    where g.id = next.id
    returning g.id`);
  return rows.length;
}

/** A drain is over once nothing of the agent is in flight: no task, and no superseded run that may still go on. */
async function noteDrained(db: Queryable): Promise<number> {
  const { rows } = await db.execute(sql`
    /* queue.note_drained */
    with over as (
      update tickmark.agents g
      set drained_at = clock_timestamp()
      where g.draining_since is not null and g.drained_at is null
        and not exists (select from tickmark.tasks t where t.agent_id = g.id and t.status = 'processing')
        and not exists (
          select from tickmark.task_attempts a
          where a.agent_id = g.id and a.finished_at is not null and a.run_stopped_at is null and a.status = 'superseded'
        )
      returning g.id
    )
    insert into tickmark.audit_log (actor, action, subject)
    select 'worker', 'agent.drained', 'agent:' || over.id from over
    returning id`);
  return rows.length;
}

/** Where an extraction stands in the turns is of no use once nothing of it waits. */
async function forgetFlows(db: Queryable): Promise<void> {
  await db.execute(sql`
    /* queue.forget_flows */
    delete from tickmark.fair_flows f
    where f.last_rank < coalesce(tickmark.claim_front(f.agent_id, f.priority), f.last_rank + 1)`);
}
