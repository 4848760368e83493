import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { DomainError } from '@/lib/errors';

/** What of an agent can be changed while it works; null = no limit of its own, or the worker's own lease. */
export interface AgentChanges {
  readonly maxConcurrentTasks?: number | null;
  readonly maxTpm?: number | null;
  readonly leaseSeconds?: number | null;
  readonly maxAttempts?: number;
  readonly maxRunSeconds?: number;
  readonly paused?: boolean;
  /** Paused, and told when nothing is in flight any more. */
  readonly draining?: boolean;
  readonly oversize?: 'run_alone' | 'hold';
  /** Extractions of one priority take turns. */
  readonly fair?: boolean;
  /** Waiting so long counts as one step of priority; null = priority is strict. */
  readonly ageingSeconds?: number | null;
  readonly retryBaseSeconds?: number;
  readonly retryFactor?: number;
  readonly retryCapSeconds?: number;
}

/** What each is read as. */
const COLUMNS: Record<keyof AgentChanges, SQL> = {
  maxConcurrentTasks: sql`max_concurrent_tasks`,
  maxTpm: sql`max_tpm`,
  leaseSeconds: sql`lease_seconds`,
  maxAttempts: sql`max_attempts`,
  maxRunSeconds: sql`max_run_seconds`,
  paused: sql`paused`,
  draining: sql`draining_since is not null`,
  oversize: sql`oversize`,
  fair: sql`fair`,
  ageingSeconds: sql`ageing_seconds`,
  retryBaseSeconds: sql`retry_base_seconds`,
  retryFactor: sql`retry_factor`,
  retryCapSeconds: sql`retry_cap_seconds`,
};

/**
 * Changes an agent; it counts for every claim that starts after this commits. Who changed what from what is kept.
 * Draining an agent pauses it, resuming it ends the drain. Throws `not_found`, and `bad_request` for what contradicts.
 */
export async function updateAgent(
  db: Db,
  { agentId, changes: asked, actor }: { agentId: string; changes: AgentChanges; actor: string },
): Promise<void> {
  const changes = withConsequences(asked);
  const given = (Object.keys(COLUMNS) as (keyof AgentChanges)[]).filter((key) => changes[key] !== undefined);
  await withTransaction(db, async (tx) => {
    const before = await tx.execute<Record<string, unknown>>(sql`
      /* queue.lock_agent */
      select ${sql.join(
        Object.entries(COLUMNS).map(([key, column]) => sql`${column} as ${sql.identifier(key)}`),
        sql`, `,
      )}
      from tickmark.agents where id = ${agentId} for no key update`);
    const old = before.rows[0];
    if (!old) throw new DomainError('not_found', `There is no agent "${agentId}".`);
    const { fair, ageingSeconds } = { ...old, ...changes };
    if (fair && ageingSeconds !== null) {
      throw new DomainError(
        'bad_request',
        'An agent takes turns (fair) or counts waiting (ageingSeconds), not both.',
      );
    }
    const changed = given.filter((key) => changes[key] !== old[key]);
    if (changed.length === 0) return;
    // The triggers that keep `agent_history` ask who it was.
    await tx.execute(sql`
      /* queue.name_actor */ select set_config('tickmark.actor', ${actor}, true)`);
    await tx.execute(sql`
      /* queue.update_agent */
      update tickmark.agents
      set ${sql.join(
        changed.map((key) => assignment(key, changes)),
        sql`, `,
      )}, updated_at = now()
      where id = ${agentId}`);
    const details = Object.fromEntries(changed.map((key) => [key, { from: old[key], to: changes[key] }]));
    await tx.execute(sql`
      /* queue.audit_agent */
      insert into tickmark.audit_log (actor, action, subject, details)
      values (${actor}, 'agent.update', ${`agent:${agentId}`}, ${JSON.stringify(details)}::jsonb)`);
  });
}

function withConsequences(changes: AgentChanges): AgentChanges {
  if (changes.draining && changes.paused === false) {
    throw new DomainError('bad_request', 'An agent that drains is paused: it starts nothing new.');
  }
  if (changes.draining) return { ...changes, paused: true };
  return changes.paused === false ? { ...changes, draining: false } : changes;
}

function assignment(key: keyof AgentChanges, changes: AgentChanges): SQL {
  if (key !== 'draining') return sql`${COLUMNS[key]} = ${changes[key]}`;
  return sql`draining_since = ${changes.draining ? sql`clock_timestamp()` : sql`null`}, drained_at = null`;
}
