import Big from 'big.js';

const SECONDS_PER_HOUR = 3600;
/** Digits after the point of an amount of money, as the database keeps them. */
const MONEY_SCALE = 12;

/** Run time × price, rounded once to 12 digits after the point; all as decimal strings. */
export function estimateComputeCost(runSeconds: string, usdPerHour: string): string {
  const Exact = Big();
  Exact.DP = MONEY_SCALE;
  return new Exact(runSeconds).times(usdPerHour).div(SECONDS_PER_HOUR).toFixed();
}
