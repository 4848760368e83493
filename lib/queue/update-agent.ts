import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/lib/db/client';
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
  readonly oversize?: 'run_alone' | 'hold';
}

const COLUMNS: Record<keyof AgentChanges, SQL> = {
  maxConcurrentTasks: sql`max_concurrent_tasks`,
  maxTpm: sql`max_tpm`,
  leaseSeconds: sql`lease_seconds`,
  maxAttempts: sql`max_attempts`,
  maxRunSeconds: sql`max_run_seconds`,
  paused: sql`paused`,
  oversize: sql`oversize`,
};

/**
 * Changes an agent; it counts for every claim that starts after this commits. Who changed what from what is kept.
 * Throws `not_found`.
 */
export async function updateAgent(
  db: Queryable,
  { agentId, changes, actor }: { agentId: string; changes: AgentChanges; actor: string },
): Promise<void> {
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
    const changed = given.filter((key) => changes[key] !== old[key]);
    if (changed.length === 0) return;
    await tx.execute(sql`
      /* queue.update_agent */
      update tickmark.agents
      set ${sql.join(
        changed.map((key) => sql`${COLUMNS[key]} = ${changes[key]}`),
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
