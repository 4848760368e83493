import { sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';

const MAX_COUNTED = 1000;

/**
 * Why each task is not running, in one sentence; null for one that runs or is final. One query for all of them; ids
 * without a task are left out.
 */
export async function whyNotRunning(
  db: Queryable,
  taskIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (taskIds.length === 0) return new Map();
  const { rows } = await db.execute<WaitingFacts & { id: string }>(sql`
    /* queue.why_not_running */
    with asked as materialized (
      select t.*
      from jsonb_array_elements_text(${JSON.stringify(taskIds)}::jsonb) as want (id)
      join tickmark.tasks t on t.id = want.id::uuid
    ),
    agent as materialized (
      select a.*,
        (select count(*) from tickmark.tasks p where p.status = 'processing' and p.agent_id = a.id)
          + (select count(*) from tickmark.task_attempts x
             where x.status = 'superseded' and x.run_stopped_at is null and x.agent_id = a.id) as in_flight,
        case when a.max_tpm is not null then
          (select coalesce(sum(u.rate), 0) from tickmark.token_use(clock_timestamp(), a.id) u) end as rate
      from tickmark.agents a
      where a.id in (select agent_id from asked where status = 'enqueued')
    ),
    overall as materialized (
      select s.max_concurrent_tasks, s.max_tpm,
        (select count(*) from tickmark.tasks p where p.status = 'processing')
          + (select count(*) from tickmark.task_attempts x
             where x.status = 'superseded' and x.run_stopped_at is null) as in_flight,
        case when s.max_tpm is not null then
          (select coalesce(sum(u.rate), 0) from tickmark.token_use(clock_timestamp(), null) u) end as rate,
        exists (select from tickmark.workers w where w.heartbeat_at > clock_timestamp() - interval '30 seconds') as worker_alive
      from tickmark.settings s
    )
    select t.id, t.status = 'enqueued' as waiting, t.estimated_tokens is null as "uninspected", t.parked = 'held' as held,
      extract(epoch from t.available_at - clock_timestamp())::float8 as "dueInSeconds",
      (select a.error_code from tickmark.task_attempts a where a.task_id = t.id order by a.number desc limit 1) as "lastError",
      tickmark.token_rate(t.estimated_tokens, t.estimated_seconds) as "taskRate",
      a.name as "agentName", a.paused,
      extract(epoch from a.cooling_until - clock_timestamp())::float8 as "coolingSeconds",
      a.max_concurrent_tasks as "agentMaxTasks", a.in_flight::integer as "agentInFlight",
      a.max_tpm as "agentMaxTpm", a.rate::float8 as "agentRate",
      o.max_concurrent_tasks as "maxTasks", o.in_flight::integer as "inFlight",
      o.max_tpm as "maxTpm", o.rate::float8 as rate, o.worker_alive as "workerAlive",
      ahead.n::integer as ahead
    from asked t
    cross join overall o
    left join agent a on a.id = t.agent_id
    left join lateral (
      select count(*) as n from (
        select from tickmark.tasks b
        where b.agent_id = t.agent_id and b.status = 'enqueued' and b.estimated_tokens is not null and b.parked is null
          and b.priority >= t.priority
          and (b.priority > t.priority or (b.created_at, b.id) < (t.created_at, t.id))
        limit ${MAX_COUNTED + 1}
      ) before
    ) ahead on t.status = 'enqueued'`);
  return new Map(rows.map((row) => [row.id, explain(row)]));
}

/** What a sentence is made from. Seconds may be negative: then it is over. */
interface WaitingFacts {
  readonly [column: string]: unknown;
  readonly waiting: boolean;
  readonly uninspected: boolean;
  readonly held: boolean | null;
  readonly dueInSeconds: number;
  readonly lastError: string | null;
  readonly taskRate: number | null;
  readonly agentName: string;
  readonly paused: boolean;
  readonly coolingSeconds: number | null;
  readonly agentMaxTasks: number | null;
  readonly agentInFlight: number;
  readonly agentMaxTpm: number | null;
  readonly agentRate: number | null;
  readonly maxTasks: number | null;
  readonly inFlight: number;
  readonly maxTpm: number | null;
  readonly rate: number | null;
  readonly workerAlive: boolean;
  readonly ahead: number;
}

/** The first of all reasons that a person could act on or that ends last. Pure. */
function explain(f: WaitingFacts): string | null {
  if (!f.waiting) return null;
  if (!f.workerAlive) return 'No worker is running; start one and it goes on by itself.';
  if (f.uninspected) return 'Its document is about to be inspected.';
  const agent = `The agent "${f.agentName}"`;
  if (f.paused) return `${agent} is paused.`;
  if (f.dueInSeconds > 0) {
    return `It is tried again in ${seconds(f.dueInSeconds)}${f.lastError ? ` after ${f.lastError}` : ''}.`;
  }
  if (f.held) {
    return `It needs about ${count(f.taskRate ?? 0)} tokens a minute, more than the whole budget of ${count(
      Math.min(f.agentMaxTpm ?? Infinity, f.maxTpm ?? Infinity),
    )}; raise the budget, or let such tasks run alone.`;
  }
  if ((f.coolingSeconds ?? 0) > 0) {
    return `${agent} waits ${seconds(f.coolingSeconds ?? 0)} because the model asked for fewer requests.`;
  }
  if (f.agentMaxTasks !== null && f.agentInFlight >= f.agentMaxTasks) {
    return `${agent} is at its limit: ${f.agentInFlight} of ${f.agentMaxTasks} tasks running.`;
  }
  if (f.maxTasks !== null && f.inFlight >= f.maxTasks) {
    return `All agents together are at the limit: ${f.inFlight} of ${f.maxTasks} tasks running.`;
  }
  return budgetReason(f, agent) ?? aheadReason(f.ahead);
}

function budgetReason(f: WaitingFacts, agent: string): string | null {
  const over = (rate: number | null, max: number | null) =>
    max !== null && (rate ?? 0) + (f.taskRate ?? 0) > max;
  if (over(f.agentRate, f.agentMaxTpm)) {
    return `${agent} has ${count(f.agentRate ?? 0)} of ${count(f.agentMaxTpm ?? 0)} tokens a minute in use; this task needs ${count(f.taskRate ?? 0)}.`;
  }
  if (over(f.rate, f.maxTpm)) {
    return `All agents together have ${count(f.rate ?? 0)} of ${count(f.maxTpm ?? 0)} tokens a minute in use; this task needs ${count(f.taskRate ?? 0)}.`;
  }
  return null;
}

function aheadReason(ahead: number): string {
  if (ahead === 0) return 'It is next; it starts as soon as a run slot is free.';
  if (ahead > MAX_COUNTED) return `More than ${count(MAX_COUNTED)} tasks are ahead of it.`;
  return ahead === 1 ? '1 task is ahead of it.' : `${count(ahead)} tasks are ahead of it.`;
}

const count = (n: number): string => Math.round(n).toLocaleString('en-GB');
const seconds = (n: number): string => (n < 90 ? `${Math.ceil(n)} s` : `${Math.ceil(n / 60)} min`);
