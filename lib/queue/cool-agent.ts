import { sql } from 'drizzle-orm';
import type { AttemptError } from '@/lib/contract/callback';
import type { Tx } from '@/lib/db/client';

/**
 * After a provider's "too many requests" nothing of this agent is claimed, by any worker, until the time it asked for
 * has passed; jitter is upward only, as coming early is refused again.
 */
export async function coolAgent(tx: Tx, agentId: string, error: AttemptError): Promise<void> {
  if (error.code !== 'rate_limited' || !error.retryAfterSeconds) return;
  const seconds = error.retryAfterSeconds * (1 + 0.1 * Math.random());
  await tx.execute(sql`
    /* queue.cool_agent */
    update tickmark.agents
    set cooling_until = greatest(cooling_until, clock_timestamp() + make_interval(secs => ${seconds}::float8))
    where id = ${agentId}`);
}
