import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
import { RUNNER_FULL } from './cool-agent';
import { workerIsAlive } from './worker-alive';

/** Of the tasks ahead no more are counted, so that the cost does not depend on the backlog. */
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
  const { rows } = await db.execute<WaitingFacts & { id: string }>(factsQuery(taskIds));
  return new Map(rows.map((row) => [row.id, explain(row)]));
}

/** The facts about each task; exported so that a test can look at what it costs. */
export function factsQuery(taskIds: readonly string[]): SQL {
  return sql`
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
             where x.agent_id = a.id and x.finished_at is not null and x.run_stopped_at is null
               and x.status = 'superseded') as in_flight,
        case when coalesce(a.max_tpm, a.lowered_tpm) is not null then
          (select coalesce(sum(u.rate), 0) from tickmark.agent_token_use(clock_timestamp(), a.id) u) end as rate
      from tickmark.agents a
      where a.id in (select agent_id from asked where status = 'enqueued')
    ),
    overall as materialized (
      select s.is_copy, s.max_concurrent_tasks, s.max_tpm,
        (select count(*) from tickmark.tasks p where p.status = 'processing')
          + (select count(*) from tickmark.task_attempts x
             where x.finished_at is not null and x.run_stopped_at is null and x.status = 'superseded') as in_flight,
        case when s.max_tpm is not null then
          (select coalesce(sum(u.rate), 0) from tickmark.token_use(clock_timestamp(), null) u) end as rate,
        exists (select from tickmark.workers w where ${workerIsAlive()}) as worker_alive
      from tickmark.settings s
    ),
    -- The beginning of each agent's line, read once however many tasks are asked about, as the claim reads it.
    first as materialized (
      select a.id as agent_id, w.*, row_number() over (
        partition by a.id order by w.class, w.claim_lane, w.claim_rank, w.created_at, w.id
      ) as place
      from agent a
      cross join lateral (
        select t.*
        from tickmark.claim_ranges r
        cross join lateral (
          select t.id, tickmark.claim_class(t.priority, t.claim_rank) as class, t.claim_lane, t.claim_rank, t.created_at
          from tickmark.tasks t
          where t.agent_id = r.agent_id and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
            and (tickmark.claim_class(t.priority, t.claim_rank), t.claim_lane, t.claim_rank, t.created_at, t.id)
              >= (r.class, 1::smallint, r.claim_rank, r.created_at, r.id)
            and (tickmark.claim_class(t.priority, t.claim_rank), t.claim_lane) < (r.next_class, 1::smallint)
          order by tickmark.claim_class(t.priority, t.claim_rank), t.claim_lane, t.claim_rank, t.created_at, t.id
          limit ${MAX_COUNTED + 1}
        ) t
        where r.agent_id = a.id
        order by r.class
        limit ${MAX_COUNTED + 1}
      ) w
    )
    select t.id, t.status = 'enqueued' as waiting, t.estimated_tokens is null as "uninspected", t.parked = 'held' as held,
      extract(epoch from t.available_at - clock_timestamp())::float8 as "dueInSeconds",
      (select a.error_code from tickmark.task_attempts a where a.task_id = t.id order by a.number desc limit 1) as "lastError",
      tickmark.token_rate(t.estimated_tokens, t.estimated_seconds) as "taskRate",
      a.name as "agentName", a.paused, a.draining_since is not null as draining, a.fair, a.ageing_seconds as "ageingSeconds",
      a.lowered_concurrent_tasks as "loweredTasks", a.lowered_tpm as "loweredTpm",
      a.lowered_reason as "loweredReason",
      extract(epoch from a.cooling_until - clock_timestamp())::float8 as "coolingSeconds",
      a.max_concurrent_tasks as "agentMaxTasks", a.in_flight::integer as "agentInFlight",
      a.max_tpm as "agentMaxTpm", a.rate::float8 as "agentRate",
      o.max_concurrent_tasks as "maxTasks", o.in_flight::integer as "inFlight",
      o.max_tpm as "maxTpm", o.rate::float8 as rate, o.worker_alive as "workerAlive", o.is_copy as "isCopy",
      (case when t.parked is null then coalesce(f.place - 1, ${MAX_COUNTED + 1}) else parked.n end)::integer as ahead
    from asked t
    cross join overall o
    left join agent a on a.id = t.agent_id
    left join first f on f.id = t.id
    -- Due, but not yet in the claim's sight again: its place is that among the first.
    left join lateral (
      select count(*) as n from first b
      where t.parked is not null and b.agent_id = t.agent_id
        and (b.class, b.claim_rank, b.created_at, b.id)
          < (tickmark.claim_class(t.priority, t.claim_rank), t.claim_rank, t.created_at, t.id)
    ) parked on true`;
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
  readonly draining: boolean;
  readonly fair: boolean;
  readonly ageingSeconds: number | null;
  /** After a 429; null = not lowered. */
  readonly loweredTasks: number | null;
  readonly loweredTpm: number | null;
  /** Code and message of what told its agent to slow down last. */
  readonly loweredReason: string | null;
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
  readonly isCopy: boolean;
  readonly ahead: number;
}

/** The first of all reasons that a person could act on or that ends last. Pure. */
function explain(f: WaitingFacts): string | null {
  if (!f.waiting) return null;
  if (f.isCopy) {
    return 'This database is a copy, and nothing runs in it until an admin says that it is live (npm run db:adopt).';
  }
  if (!f.workerAlive) return 'No worker is running; start one and it goes on by itself.';
  if (f.uninspected) return 'Its document is about to be inspected.';
  const agent = `The agent "${f.agentName}"`;
  if (f.draining || f.paused) {
    const how = !f.draining ? '' : f.agentInFlight > 0 ? ' and draining' : ' and drained';
    return `${agent} is paused${how}: it starts nothing new until it is resumed.`;
  }
  if (f.dueInSeconds > 0) {
    return `It is tried again in ${seconds(f.dueInSeconds)}${f.lastError ? ` after ${f.lastError}` : ''}.`;
  }
  if (f.held) {
    return `It needs about ${count(f.taskRate ?? 0)} tokens a minute, more than the whole budget of ${count(
      Math.min(f.agentMaxTpm ?? Infinity, f.maxTpm ?? Infinity),
    )}; raise the budget, or let such tasks run alone.`;
  }
  if ((f.coolingSeconds ?? 0) > 0) {
    return `${agent} waits ${seconds(f.coolingSeconds ?? 0)} because ${toldBy(f)}.`;
  }
  const maxTasks = least(f.agentMaxTasks, f.loweredTasks);
  if (maxTasks !== null && f.agentInFlight >= maxTasks) {
    const running = `${f.agentInFlight} of ${maxTasks} tasks running`;
    return isLowered(f.agentMaxTasks, f.loweredTasks)
      ? `${agent} is at its lowered limit: ${running}; ${lowered(f)}.`
      : `${agent} is at its limit: ${running}.`;
  }
  if (f.maxTasks !== null && f.inFlight >= f.maxTasks) {
    return `All agents together are at the limit: ${f.inFlight} of ${f.maxTasks} tasks running.`;
  }
  return budgetReason(f, agent) ?? aheadReason(f);
}

function budgetReason(f: WaitingFacts, agent: string): string | null {
  const over = (rate: number | null, max: number | null) =>
    max !== null && (rate ?? 0) + (f.taskRate ?? 0) > max;
  const maxTpm = least(f.agentMaxTpm, f.loweredTpm);
  if (over(f.agentRate, maxTpm)) {
    const why = isLowered(f.agentMaxTpm, f.loweredTpm) ? `; ${lowered(f)}` : '';
    return `${agent} has ${count(f.agentRate ?? 0)} of ${count(maxTpm ?? 0)} tokens a minute in use; this task needs ${count(f.taskRate ?? 0)}${why}.`;
  }
  if (over(f.rate, f.maxTpm)) {
    return `All agents together have ${count(f.rate ?? 0)} of ${count(f.maxTpm ?? 0)} tokens a minute in use; this task needs ${count(f.taskRate ?? 0)}.`;
  }
  return null;
}

function aheadReason({ ahead, fair, ageingSeconds }: WaitingFacts): string {
  if (ahead === 0) return 'It is next; it starts as soon as a run slot is free.';
  const what = ahead > MAX_COUNTED ? `More than ${count(MAX_COUNTED)}` : count(ahead);
  const tasks = ahead === 1 ? '1 task is ahead of it' : `${what} tasks are ahead of it`;
  if (fair) return `${tasks}; extractions of the same priority take turns.`;
  if (ageingSeconds !== null)
    return `${tasks}; it gains a step of priority with every ${seconds(ageingSeconds)} of waiting.`;
  return `${tasks}.`;
}

/** Why it was told to slow down. */
const toldBy = ({ loweredReason }: WaitingFacts): string =>
  loweredReason?.startsWith(RUNNER_FULL)
    ? loweredReason
    : loweredReason?.startsWith('model_unavailable')
      ? 'the model is not available'
      : 'the model asked for fewer requests';

const lowered = (f: WaitingFacts): string => `${toldBy(f)}, and the limit is raised again step by step`;

/** As in SQL: null = no limit. */
const least = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

const isLowered = (own: number | null, lowered: number | null): boolean =>
  lowered !== null && (own === null || lowered < own);

const count = (n: number): string => Math.round(n).toLocaleString('en-GB');
const seconds = (n: number): string => (n < 90 ? `${Math.ceil(n)} s` : `${Math.ceil(n / 60)} min`);
