import Big from 'big.js';
import type { Usage } from '@/lib/contract/callback';
import type { ModelPrice } from '@/lib/contract/run-input';

/** Tokens of one call; `inputTokens` includes cached and written ones. */
export type CallTokens = Pick<
  Usage,
  'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'outputTokens'
>;

/** US dollars of one call as exact decimal strings; `input` includes what cached and written tokens cost. */
export interface CallCost {
  readonly input: string;
  readonly output: string;
  readonly total: string;
}

const PER = 1_000_000;
/** Digits after the point of an amount of money, as the database keeps them. */
const MONEY_SCALE = 12;
const Exact = Big();
Exact.DP = MONEY_SCALE;
Exact.RM = Big.roundHalfUp;

/** What a call costs at the prices that the run was given; null where its model has none: unpriced, never 0. */
export function costOf(model: string, tokens: CallTokens, prices: readonly ModelPrice[]): CallCost | null {
  const price = prices.find((one) => one.model === model);
  if (!price) return null;
  const fresh = tokens.inputTokens - tokens.cachedInputTokens - tokens.cacheWriteTokens;
  const input = new Exact(price.input)
    .times(fresh)
    .plus(new Exact(price.cachedInput).times(tokens.cachedInputTokens))
    .plus(new Exact(price.cacheWrite).times(tokens.cacheWriteTokens))
    .div(PER)
    .round(MONEY_SCALE);
  const output = new Exact(price.output).times(tokens.outputTokens).div(PER).round(MONEY_SCALE);
  return { input: input.toFixed(), output: output.toFixed(), total: input.plus(output).toFixed() };
}

/** Costs added up; null where there is none or one is not known, for then neither is the sum. */
export function sumOfCosts(costs: readonly (string | null)[]): string | null {
  let sum = new Exact(0);
  for (const cost of costs) {
    if (cost === null) return null;
    sum = sum.plus(cost);
  }
  return costs.length === 0 ? null : sum.toFixed();
}
