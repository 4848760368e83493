import 'server-only';
import type { StatusCounts } from '@/lib/contract/api';
import type { Db } from '@/lib/db/client';
import { readSums } from './cells';
import { readChanges } from './loose';
import { inMoment } from './moment';
import { coverRange } from './periods';
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
  const rows = await inMoment(db, async ({ tx, stale }) => {
    const cover = coverRange(all, 'month', stale);
    return [...(await readSums(tx, cover, selection)), ...(await readChanges(tx))];
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
