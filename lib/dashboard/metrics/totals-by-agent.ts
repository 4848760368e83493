import 'server-only';
import { sql } from 'drizzle-orm';
import type { StatusCounts } from '@/lib/contract/api';
import type { Db } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { readSums } from './cells';
import { readLoose } from './loose';
import { coverRange } from './periods';
import { readState } from './read-metrics';
import { selectionOf } from './selection';
import { Tally } from './tally';

/** All tasks of an agent, and what their attempts have used, since the first of them. */
export interface AgentTotals {
  readonly agent: string;
  readonly counts: StatusCounts;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** A decimal string. */
  readonly llmCostUsd: string;
  readonly unpricedAttempts: number;
}

/** For monitoring: exact as of one moment, from the roll-up and what has changed since, however many tasks there are. */
export async function readTotalsByAgent(db: Db): Promise<AgentTotals[]> {
  const all = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };
  const selection = selectionOf({}, null);
  const rows = await withTransaction(db, async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`);
    const { stale } = await readState(tx, selection);
    const cover = coverRange(all, 'month', stale);
    return [
      ...(await readSums(tx, cover, selection, 'month')),
      ...(await readLoose(tx, all, cover, selection, 'month')),
    ];
  });
  const tallies = new Map<string, Tally>();
  for (const row of rows) {
    const tally = tallies.get(row.agent_id) ?? new Tally();
    tally.addSums(row);
    tallies.set(row.agent_id, tally);
  }
  return [...tallies].map(([agent, tally]) => ({
    agent,
    counts: tally.counts,
    inputTokens: tally.inputTokens.toNumber(),
    outputTokens: tally.outputTokens.toNumber(),
    llmCostUsd: tally.llmCostUsd.toFixed(),
    unpricedAttempts: tally.totals(undefined, null).unpricedAttempts,
  }));
}
