import Big from 'big.js';
import { z } from 'zod';
import { type Row, StatementError, type Warehouse } from '@/lib/databricks/statements';
import { WorkspaceError } from '@/lib/databricks/workspace-error';
import { BILLING_STATEMENT } from './billing-statement';
import type { BilledRun, BillingSource } from './port';

export interface SystemTablesOptions {
  readonly warehouse: Warehouse;
  /** An id of a run is unique within its workspace only. */
  readonly workspaceId: string;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** As many ids as make a parameter of about 200 kB. */
const RUNS_PER_STATEMENT = 10_000;
/** Less than another process waits before it asks in our place. */
const WITHIN_MS = 240_000;
/** A bill is typically whole within 12 hours; corrections can come later. */
const SETTLE_MS = 48 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** Digits after the point of an amount of money, as the database keeps them. */
const MONEY_SCALE = 12;

/** What the account is billed for the runs, at list prices, from the system tables of Unity Catalog. */
export function createSystemTablesSource(options: SystemTablesOptions): BillingSource {
  const { now = Date.now } = options;
  return {
    name: 'billing',
    async costOf({ readRuns }) {
      // What is no number is a run of another platform.
      const attempts = (await readRuns()).filter(({ runId }) => /^\d+$/.test(runId));
      const { runs, others } = ownersOf(attempts);
      const began = now();
      const used: Used[] = [];
      for (let from = 0; from < runs.length; from += RUNS_PER_STATEMENT) {
        const withinMs = Math.max(0, began + WITHIN_MS - now());
        used.push(...(await readUsed(options, runs.slice(from, from + RUNS_PER_STATEMENT), withinMs)));
      }
      const cost = sumUp(runs, used, now());
      for (const { attemptId } of others) cost.byAttempt.set(attemptId, '0');
      return cost;
    },
  };
}

/** Each run with the attempt that pays for it, the first that had it; the other attempts pay nothing. */
function ownersOf(attempts: readonly BilledRun[]): { runs: BilledRun[]; others: BilledRun[] } {
  const owners = new Map<string, BilledRun>();
  const isBefore = (a: BilledRun, b: BilledRun) =>
    a.begunMs === b.begunMs ? a.attemptId < b.attemptId : a.begunMs < b.begunMs;
  for (const attempt of attempts) {
    const known = owners.get(attempt.runId);
    if (attempt.isBilledElsewhere) continue;
    if (!known || isBefore(attempt, known)) owners.set(attempt.runId, attempt);
  }
  const runs = [...owners.values()];
  return { runs, others: attempts.filter((attempt) => owners.get(attempt.runId) !== attempt) };
}

const decimal = z.string().regex(/^-?\d+(\.\d+)?(E-?\d+)?$/i);
const Used = z.object({
  run_id: z.string(),
  unit_price: decimal.nullable(),
  quantity: decimal,
  billed_through: z.string(),
});
type Used = z.infer<typeof Used>;

async function readUsed(
  { warehouse, workspaceId }: SystemTablesOptions,
  runs: readonly BilledRun[],
  withinMs: number,
): Promise<Used[]> {
  const first = runs.reduce((least, run) => Math.min(least, run.begunMs), Number.POSITIVE_INFINITY);
  const rows = await warehouse
    .read(
      BILLING_STATEMENT,
      [
        { name: 'run_ids', value: JSON.stringify(runs.map(({ runId }) => runId)), type: 'STRING' },
        // A day early: the clocks are not the same.
        { name: 'from_date', value: new Date(first - DAY_MS).toISOString().slice(0, 10), type: 'DATE' },
        { name: 'workspace_id', value: workspaceId, type: 'STRING' },
      ],
      { withinMs },
    )
    .catch(explain);
  return rows.map((row: Row) => Used.parse(row));
}

function sumUp(runs: readonly BilledRun[], used: readonly Used[], nowMs: number) {
  const unpriced = new Set<string>();
  const exact = new Map<string, Big>();
  for (const { run_id, unit_price, quantity } of used) {
    if (unit_price === null) unpriced.add(run_id);
    else exact.set(run_id, new Big(quantity).times(unit_price).plus(exact.get(run_id) ?? 0));
  }
  // Rounded run by run, as each is kept: the sum is that of what is kept.
  const byRun = new Map([...exact].map(([runId, cost]) => [runId, cost.round(MONEY_SCALE, Big.roundHalfUp)]));
  const usd = [...byRun.values()].reduce((sum, cost) => sum.plus(cost), new Big(0));
  const byAttempt = new Map<string, string>();
  for (const { runId, attemptId } of runs) {
    const cost = byRun.get(runId);
    if (cost && !unpriced.has(runId)) byAttempt.set(attemptId, cost.toFixed());
  }
  const billed = new Set(used.map(({ run_id }) => run_id));
  const through =
    used
      .map((row) => row.billed_through)
      .sort()
      .at(-1) ?? '';
  const notes = ['At list prices, before discounts.'];
  const missing = runs.length - billed.size;
  if (missing > 0) notes.push(`${missing} of ${runs.length} runs are not on the bill yet.`);
  if (runs.some(({ endedMs }) => endedMs === null || nowMs - endedMs < SETTLE_MS)) {
    const upTo =
      through === '' ? '' : ` It holds use up to ${through.replace('T', ' ').replace('Z', ' UTC')}.`;
    notes.push(`The bill for the last 48 hours is not final.${upTo}`);
  }
  if (unpriced.size > 0)
    notes.push(`The use of ${unpriced.size} runs has no list price in US dollars and is left out.`);
  return { usd: usd.toFixed(), note: notes.join(' '), byAttempt };
}

const NO_GRANT = /PERMISSION|NOT AUTHORI[SZ]ED|TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND|does not have/i;

/** In the words of whoever can grant. */
function explain(error: unknown): never {
  if (error instanceof StatementError && NO_GRANT.test(error.message)) {
    throw new Error(
      `The bill can't be read. Grant the app's service principal USE CATALOG on system, and USE SCHEMA and SELECT on system.billing (an account admin who is a metastore admin can). ${error.message}`,
      { cause: error },
    );
  }
  if (error instanceof WorkspaceError && (error.status === 403 || error.status === 404)) {
    throw new Error(
      `The SQL warehouse can't be used. Grant the app's service principal CAN USE on it, and check DATABRICKS_WAREHOUSE_ID. ${error.message}`,
      { cause: error },
    );
  }
  throw error;
}
