import Big from 'big.js';
import type { Usage } from '@/lib/contract/callback';
import type { Queryable } from '@/lib/db/client';
import { type TracedCall, TraceUnreadable } from '@/lib/platform/trace-source/port';
import { priceUsages } from './price';

/** Figures of an attempt: its tokens, and its cost in US dollars as an exact decimal string, null = unpriced. */
export interface Figures {
  readonly model: string | null;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly llmCostUsd: string | null;
}

export type PricedBy = 'run' | 'price_table' | 'server' | 'mixed';

/** What a trace says, with whose prices its cost was reckoned. */
export interface TraceFigures extends Figures {
  readonly pricedBy: PricedBy | null;
}

/**
 * The sum of a trace's calls. What the run priced stays, for it was given our prices; a call that it did not price has the
 * price of our table, and the server's only where that has none, since a server guesses. One call without any price leaves
 * the whole without: unpriced, never less than it was.
 * @throws TraceUnreadable for sums that nothing can come to
 */
export async function figuresOf(db: Queryable, calls: readonly TracedCall[]): Promise<TraceFigures | null> {
  if (calls.length === 0) return null;
  const unpriced = calls.filter(({ pricedBy }) => pricedBy !== 'run');
  const ours = await priceUsages(db, unpriced.map(asUsage));
  const nextPrice = ours.values();
  const priced = calls.map((call): { usd: string | null; by: PricedBy | null } => {
    if (call.pricedBy === 'run') return { usd: call.costUsd, by: 'run' };
    const own = nextPrice.next().value ?? null;
    return own !== null ? { usd: own, by: 'price_table' } : { usd: call.costUsd, by: call.pricedBy };
  });
  const figures = {
    inputTokens: sumOf(calls, 'inputTokens'),
    cachedInputTokens: sumOf(calls, 'cachedInputTokens'),
    cacheWriteTokens: sumOf(calls, 'cacheWriteTokens'),
    outputTokens: sumOf(calls, 'outputTokens'),
    llmCostUsd: addUp(priced.map(({ usd }) => usd)),
  };
  refuseBeyond(figures);
  const by = [...new Set(priced.map((one) => one.by))];
  return {
    model: calls.at(-1)?.model ?? null,
    ...figures,
    pricedBy: by.length === 1 ? (by[0] ?? null) : 'mixed',
  };
}

type TokenKind = 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'outputTokens';

function sumOf(calls: readonly TracedCall[], kind: TokenKind): number {
  return calls.reduce((all, call) => all + call[kind], 0);
}

/** The most that one report may say too (lib/contract/callback.ts): sums of many attempts stay exact with it. */
const MAX_TOKENS = 1_000_000_000_000;
const MAX_USD = new Big('999999999999');

function refuseBeyond({ llmCostUsd, ...tokens }: Pick<Figures, TokenKind | 'llmCostUsd'>): void {
  const isTooMuch = Object.values(tokens).some((count) => count > MAX_TOKENS);
  if (!isTooMuch && (llmCostUsd === null || MAX_USD.gte(llmCostUsd))) return;
  throw new TraceUnreadable(
    'The calls of the trace come to more tokens or money than anything can cost, so it is not counted.',
    { isFinal: true },
  );
}

function addUp(costs: readonly (string | null)[]): string | null {
  let sum = new Big(0);
  for (const cost of costs) {
    if (cost === null) return null;
    sum = sum.plus(cost);
  }
  return sum.toFixed();
}

function asUsage(call: TracedCall): Usage {
  const { model, inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = call;
  return { model, inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, costUsd: null, calls: [] };
}

/** Each call is rounded once to 12 digits, the report once as a whole. */
const ROUNDING = new Big('0.0000000000005');

/**
 * Whether a trace and a report say different things. Costs are compared where both are known, to the last digit that the
 * rounding of `calls` calls leaves certain.
 */
export function differ(trace: Figures, report: Figures, calls: number): boolean {
  if (
    trace.inputTokens !== report.inputTokens ||
    trace.cachedInputTokens !== report.cachedInputTokens ||
    trace.cacheWriteTokens !== report.cacheWriteTokens ||
    trace.outputTokens !== report.outputTokens
  )
    return true;
  if (trace.llmCostUsd === null || report.llmCostUsd === null) return false;
  const apart = new Big(trace.llmCostUsd).minus(report.llmCostUsd).abs();
  return apart.gt(ROUNDING.times(2 * calls + 1));
}
