import { sql } from 'drizzle-orm';
import type { Db, Queryable } from '@/lib/db/client';
import type { BillingSource, RunsToBill } from '@/lib/platform/billing-source/port';

/** For so long an answer is given again instead of asking anew. */
const FRESH_SECONDS = 60;
/** So long a process may take before another one asks in its place. */
const ASKING_SECONDS = 300;

export interface ComputeCost {
  readonly id: string;
  /** As `canonicalFilters` writes them. */
  readonly filters: string;
  readonly status: 'pending' | 'ready' | 'failed';
  readonly source: string;
  readonly computeCostUsd: string | null;
  readonly readyAt: Date | null;
  /** Why it failed, or what the amount does not hold. */
  readonly message: string | null;
}

interface Row extends Record<string, unknown> {
  id: string;
  filters: string;
  status: ComputeCost['status'];
  source: string;
  cost: string | null;
  ready_at: string | null;
  message: string | null;
}

/** Notes that somebody wants to know; whoever asked the same within a minute, or is still waiting, shares the answer. */
export async function requestComputeCost(
  db: Queryable,
  asked: { readonly filters: string; readonly source: string; readonly requestedBy: string },
): Promise<string> {
  const { rows } = await db.execute<{ id: string }>(sql`
    /* figures.request_compute_cost */
    with known as (
      select c.id from tickmark.compute_costs c
      where c.filters = ${asked.filters} and c.source = ${asked.source}
        and (c.status = 'pending' or (c.status = 'ready' and c.ready_at > clock_timestamp() - make_interval(secs => ${FRESH_SECONDS}::int)))
      order by c.requested_at desc
      limit 1
    ),
    made as (
      insert into tickmark.compute_costs (filters, source, requested_by)
      select ${asked.filters}, ${asked.source}, ${asked.requestedBy}
      where not exists (select from known)
      returning id
    )
    select id from known union all select id from made`);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('neither a known request nor a new one');
  return id;
}

/** Null for an unknown id. */
export async function findComputeCost(db: Queryable, id: string): Promise<ComputeCost | null> {
  const { rows } = await db.execute<Row>(sql`
    /* figures.compute_cost */
    select c.id, c.filters, c.status, c.source, trim_scale(c.compute_cost_usd)::text as cost, c.ready_at, c.message
    from tickmark.compute_costs c
    where c.id = ${id}::uuid`);
  const row = rows[0];
  if (!row) return null;
  return {
    id: row.id,
    filters: row.filters,
    status: row.status,
    source: row.source,
    computeCostUsd: row.cost,
    readyAt: row.ready_at === null ? null : new Date(row.ready_at),
    message: row.message,
  };
}

/**
 * Asks the source for a pending request, unless another process is at it; its failure is the answer then.
 * @param readRuns what is known of the runs under these filters
 */
export async function answerComputeCost(
  db: Db,
  id: string,
  source: BillingSource,
  readRuns: (filters: string) => Promise<RunsToBill>,
): Promise<void> {
  const { rows } = await db.execute<{ filters: string }>(sql`
    /* figures.take_compute_cost */
    update tickmark.compute_costs
    set asking_until = clock_timestamp() + make_interval(secs => ${ASKING_SECONDS}::int)
    where id = ${id}::uuid and status = 'pending' and (asking_until is null or asking_until < clock_timestamp())
    returning filters`);
  const filters = rows[0]?.filters;
  if (filters === undefined) return;
  try {
    const { usd, note, byAttempt } = await source.costOf(await readRuns(filters));
    if (byAttempt) await noteCostOfAttempts(db, byAttempt);
    await end(db, id, 'ready', usd, note);
  } catch (error) {
    await end(db, id, 'failed', null, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

const ATTEMPTS_AT_A_TIME = 1_000;

/** Bills are purged after a year and corrected meanwhile: what is known now stays with its attempt. */
async function noteCostOfAttempts(db: Db, byAttempt: ReadonlyMap<string, string>): Promise<void> {
  const known = [...byAttempt].map(([id, usd]) => ({ id, usd }));
  for (let from = 0; from < known.length; from += ATTEMPTS_AT_A_TIME) {
    const part = JSON.stringify(known.slice(from, from + ATTEMPTS_AT_A_TIME));
    await db.execute(sql`
      /* figures.note_cost_of_attempts */
      update tickmark.task_attempts a
      set compute_cost_usd = w.usd
      from jsonb_to_recordset(${part}::jsonb) as w (id uuid, usd numeric)
      where a.id = w.id and a.compute_cost_usd is distinct from w.usd`);
  }
}

async function end(
  db: Db,
  id: string,
  status: 'ready' | 'failed',
  cost: string | null,
  message: string | null,
): Promise<void> {
  await db.execute(sql`
    /* figures.end_compute_cost */
    update tickmark.compute_costs
    set status = ${status}, compute_cost_usd = ${cost}::numeric, message = ${message}, ready_at = clock_timestamp(),
      asking_until = null
    where id = ${id}::uuid and status = 'pending'`);
}
