import 'server-only';
import { sql } from 'drizzle-orm';
import type { Agent } from '@/lib/contract/api-agents';
import type { Queryable } from '@/lib/db/client';
import { nextStep } from '@/lib/queue/tune-agents';
import { isoInstant } from './sql-values';

interface AgentRow extends Record<string, unknown> {
  id: string;
  name: string;
  description: string;
  current_version: number;
  max_concurrent_tasks: number | null;
  max_tpm: number | null;
  lease_seconds: number | null;
  max_attempts: number;
  max_run_seconds: number;
  paused: boolean;
  oversize: Agent['oversize'];
  effective_concurrent: number | null;
  effective_tpm: number | null;
  cooling_until: string | null;
  retry_base_seconds: number;
  retry_factor: number;
  retry_cap_seconds: number;
  draining: boolean;
  drained_at: string | null;
  in_flight: number;
  tpm_in_use: number;
  fair: boolean;
  ageing_seconds: number | null;
  lowered_concurrent_tasks: number | null;
  lowered_tpm: number | null;
  lowered_at: string | null;
  lowered_reason: string | null;
  next_tasks: number | null;
  next_tpm: number | null;
  next_at: string | null;
  estimate_version: number | null;
  samples: number | null;
  tokens_per_page: number | null;
  seconds_per_page: number | null;
  learnt_at: string | null;
  estimate_token_error: number | null;
  estimate_seconds_error: number | null;
  enqueued: number;
  processing: number;
  updated_at: string;
}

/** All agents with their limits and open work; with `id` that one alone. */
export async function readAgents(db: Queryable, id?: string): Promise<Agent[]> {
  const step = nextStep();
  const { rows } = await db.execute<AgentRow>(sql`
    /* dashboard.agents */
    select g.id, g.name, g.description, g.current_version, g.max_concurrent_tasks, g.max_tpm, g.lease_seconds,
      g.max_attempts, g.max_run_seconds, g.paused, g.oversize,
      g.retry_base_seconds, g.retry_factor, g.retry_cap_seconds, g.fair, g.ageing_seconds,
      least(g.max_concurrent_tasks, o.max_concurrent_tasks, g.lowered_concurrent_tasks) as effective_concurrent,
      least(g.max_tpm, o.max_tpm, g.lowered_tpm) as effective_tpm,
      g.lowered_concurrent_tasks, g.lowered_tpm, g.lowered_reason, ${isoInstant(sql`g.lowered_at`)} as lowered_at,
      ${step.tasks} as next_tasks, ${step.tpm} as next_tpm, ${isoInstant(step.dueAt)} as next_at,
      g.draining_since is not null as draining, ${isoInstant(sql`g.drained_at`)} as drained_at,
      n.processing + u.unstopped as in_flight,
      (select coalesce(sum(r.rate), 0) from tickmark.agent_token_use(clock_timestamp(), g.id) r)::float8 as tpm_in_use,
      g.estimate_version, e.samples, e.tokens_per_page, e.seconds_per_page, ${isoInstant(sql`e.created_at`)} as learnt_at,
      g.estimate_token_error, g.estimate_seconds_error,
      case when g.cooling_until > clock_timestamp() then ${isoInstant(sql`g.cooling_until`)} end as cooling_until,
      n.enqueued, n.processing,
      ${isoInstant(sql`g.updated_at`)} as updated_at
    from tickmark.agents g
    left join tickmark.settings o on o.id = 1
    left join tickmark.agent_estimates e on e.agent_id = g.id and e.version = g.estimate_version
    cross join lateral (
      select
        count(*) filter (where t.status = 'enqueued')::int as enqueued,
        count(*) filter (where t.status = 'processing')::int as processing
      from tickmark.tasks t
      where t.agent_id = g.id
        and t.status in ('enqueued', 'processing')
    ) n
    cross join lateral (
      select count(*)::int as unstopped
      from tickmark.task_attempts a
      where a.agent_id = g.id and a.finished_at is not null and a.run_stopped_at is null and a.status = 'superseded'
    ) u
    where ${id === undefined ? sql`true` : sql`g.id = ${id}`}
    order by g.name, g.id`);
  return rows.map(toAgent);
}

function toAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    version: row.current_version,
    maxConcurrentTasks: row.max_concurrent_tasks,
    maxTpm: row.max_tpm,
    leaseSeconds: row.lease_seconds,
    maxAttempts: row.max_attempts,
    maxRunSeconds: row.max_run_seconds,
    retryBaseSeconds: row.retry_base_seconds,
    retryFactor: row.retry_factor,
    retryCapSeconds: row.retry_cap_seconds,
    paused: row.paused,
    state: stateOf(row),
    drainedAt: row.drained_at,
    fair: row.fair,
    ageingSeconds: row.ageing_seconds,
    oversize: row.oversize,
    throttleMode: throttleMode(row.max_concurrent_tasks, row.max_tpm),
    effective: { maxConcurrentTasks: row.effective_concurrent, maxTpm: row.effective_tpm },
    lowered: loweredOf(row),
    coolingUntil: row.cooling_until,
    estimates: {
      version: row.estimate_version,
      samples: row.samples,
      tokensPerPage: row.tokens_per_page,
      secondsPerPage: row.seconds_per_page,
      learntAt: row.learnt_at,
      tokenError: row.estimate_token_error,
      secondsError: row.estimate_seconds_error,
    },
    counts: { enqueued: row.enqueued, processing: row.processing },
    inUse: { tasks: row.in_flight, tpm: Math.round(row.tpm_in_use) },
    updatedAt: row.updated_at,
  };
}

/** M10: the mode follows from which limits are set. */
function throttleMode(maxConcurrentTasks: number | null, maxTpm: number | null): Agent['throttleMode'] {
  if (maxConcurrentTasks !== null) return maxTpm === null ? 'concurrency' : 'both';
  return maxTpm === null ? 'none' : 'tokens';
}

/** A drain is over as soon as nothing is in flight, even before a worker has noted when. */
function stateOf(row: AgentRow): Agent['state'] {
  if (!row.draining) return row.paused ? 'paused' : 'open';
  return row.in_flight > 0 ? 'draining' : 'drained';
}

function loweredOf(row: AgentRow): Agent['lowered'] {
  if (row.lowered_concurrent_tasks === null && row.lowered_tpm === null) return null;
  return {
    maxConcurrentTasks: row.lowered_concurrent_tasks,
    maxTpm: row.lowered_tpm,
    since: row.lowered_at ?? '',
    reason: row.lowered_reason ?? '',
    next: {
      at: row.next_at ?? row.lowered_at ?? '',
      maxConcurrentTasks: row.next_tasks,
      maxTpm: row.next_tpm,
    },
  };
}
