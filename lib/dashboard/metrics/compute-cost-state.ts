import 'server-only';
import { sql } from 'drizzle-orm';
import type { ClientScope } from '@/lib/auth/roles';
import type { ComputeCostState, MetricsQuery } from '@/lib/contract/api-metrics';
import type { Queryable } from '@/lib/db/client';
import { canonicalFilters } from '@/lib/figures/canonical-filters';
import { isoInstant, moneyText } from '../sql-values';

interface Row extends Record<string, unknown> {
  id: string;
  status: 'pending' | 'ready' | 'failed';
  source: string;
  cost: string | null;
  requested_at: string;
  ready_at: string | null;
  message: string | null;
}

const NEVER_ASKED: ComputeCostState = {
  id: null,
  status: 'none',
  source: null,
  computeCostUsd: null,
  requestedAt: null,
  readyAt: null,
  message: null,
};

/** What the slow billing source has said, or is being asked, under these filters. Asks nothing itself. */
export async function computeCostState(
  db: Queryable,
  query: MetricsQuery,
  scope: ClientScope,
): Promise<ComputeCostState> {
  const { rows } = await db.execute<Row>(sql`
    /* dashboard.compute_cost_state */
    select c.id, c.status, c.source, ${moneyText(sql`c.compute_cost_usd`)} as cost, c.message,
      ${isoInstant(sql`c.requested_at`)} as requested_at, ${isoInstant(sql`c.ready_at`)} as ready_at
    from tickmark.compute_costs c
    where c.filters = ${canonicalFilters(query, scope)}
    order by c.requested_at desc
    limit 1`);
  const row = rows[0];
  if (!row) return NEVER_ASKED;
  return {
    id: row.id,
    status: row.status,
    source: row.source,
    computeCostUsd: row.cost,
    requestedAt: row.requested_at,
    readyAt: row.ready_at,
    message: row.message,
  };
}
