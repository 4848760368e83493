import 'server-only';
import { sql } from 'drizzle-orm';
import type { Agent } from '@/lib/contract/api-agents';
import type { Queryable } from '@/lib/db/client';
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
  enqueued: number;
  processing: number;
  updated_at: string;
}

/** All agents with their limits and open work; with `id` that one alone. */
export async function readAgents(db: Queryable, id?: string): Promise<Agent[]> {
  const { rows } = await db.execute<AgentRow>(sql`
    /* dashboard.agents */
    select g.id, g.name, g.description, g.current_version, g.max_concurrent_tasks, g.max_tpm, g.lease_seconds,
      g.max_attempts, g.max_run_seconds, g.paused, g.oversize,
      least(g.max_concurrent_tasks, o.max_concurrent_tasks) as effective_concurrent,
      least(g.max_tpm, o.max_tpm) as effective_tpm,
      case when g.cooling_until > clock_timestamp() then ${isoInstant(sql`g.cooling_until`)} end as cooling_until,
      n.enqueued, n.processing,
      ${isoInstant(sql`g.updated_at`)} as updated_at
    from tickmark.agents g
    left join tickmark.settings o on o.id = 1
    cross join lateral (
      select
        count(*) filter (where t.status = 'enqueued')::int as enqueued,
        count(*) filter (where t.status = 'processing')::int as processing
      from tickmark.tasks t
      where t.agent_id = g.id
        and t.status in ('enqueued', 'processing')
    ) n
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
    paused: row.paused,
    oversize: row.oversize,
    throttleMode: throttleMode(row.max_concurrent_tasks, row.max_tpm),
    effective: { maxConcurrentTasks: row.effective_concurrent, maxTpm: row.effective_tpm },
    coolingUntil: row.cooling_until,
    counts: { enqueued: row.enqueued, processing: row.processing },
    updatedAt: row.updated_at,
  };
}

/** M10: the mode follows from which limits are set. */
function throttleMode(maxConcurrentTasks: number | null, maxTpm: number | null): Agent['throttleMode'] {
  if (maxConcurrentTasks !== null) return maxTpm === null ? 'concurrency' : 'both';
  return maxTpm === null ? 'none' : 'tokens';
}
