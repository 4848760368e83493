import Big from 'big.js';
import type { AmountSpot } from './amount-spots';
import type { Line } from './page-text';
import type { TaxRow } from './tax-rows';

/** One possible answer for one total. */
export interface Candidate {
  readonly amount: Big;
  readonly decimals: number;
  readonly score: number;
  readonly line: Line | null;
  readonly quote: string | null;
}

const CENT = new Big('0.011');
const MAX_CANDIDATES = 10;
export const near = (a: Big, b: Big, tolerance = CENT) => a.minus(b).abs().lte(tolerance);

/** The best candidate of each amount, best first. */
export function ranked(candidates: readonly Candidate[]): Candidate[] {
  const byAmount = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = candidate.amount.toFixed(4);
    const known = byAmount.get(key);
    if (!known) byAmount.set(key, candidate);
    else {
      const better = candidate.score >= known.score ? candidate : known;
      // Seen twice, an amount is a little surer.
      byAmount.set(key, { ...better, score: Math.min(better.score + 0.03, 0.97) });
    }
  }
  return [...byAmount.values()].sort((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
}

export function fromSpots(
  spots: readonly AmountSpot[],
  weights: Partial<Record<AmountSpot['concept'], number>>,
): Candidate[] {
  return spots.flatMap((spot) => {
    const weight = weights[spot.concept];
    if (weight === undefined) return [];
    return [
      {
        amount: spot.amount,
        decimals: spot.token.decimals,
        score: spot.score * weight,
        line: spot.line,
        quote: spot.quote,
      },
    ];
  });
}

/** Sums over the rates, for pages that print no total of tax. */
export function fromRows(
  rows: readonly TaxRow[],
  pick: (row: TaxRow) => Big | null,
  score: number,
): Candidate[] {
  if (rows.length === 0) return [];
  let sum = new Big(0);
  for (const row of rows) {
    const amount = pick(row);
    if (amount === null) return [];
    sum = sum.plus(amount);
  }
  const [first] = rows;
  const isPrinted = rows.length === 1 && first !== undefined;
  const line = first?.line ?? null;
  return [{ amount: sum, decimals: 2, score, line, quote: isPrinted && pick === taxOf ? first.quote : null }];
}

export const taxOf = (row: TaxRow) => row.tax;
export const baseOf = (row: TaxRow) => row.base;

/** Taxes of several kinds, such as state and county tax, each on a line of its own. */
export function sumOfTaxes(spots: readonly AmountSpot[]): Candidate[] {
  const taxes = spots.filter((spot) => spot.concept === 'tax' && spot.score > 0.5);
  const lines = taxes.filter((spot, index) => taxes.findIndex((other) => other.line === spot.line) === index);
  if (lines.length < 2 || lines.length > 5) return [];
  const amount = lines.reduce((sum, spot) => sum.plus(spot.amount), new Big(0));
  return [{ amount, decimals: 2, score: 0.6, line: lines[0]?.line ?? null, quote: null }];
}

/** One row of each rate, for pages that give the tax of a rate twice. */
export function distinctRates(rows: readonly TaxRow[]): TaxRow[] {
  return rows.filter((row, index) => rows.findIndex((other) => other.rate.eq(row.rate)) === index);
}
