/**
 * Histograms of response time, cost and confidence as the roll-up keeps them (drizzle, `tickmark.sketch_key`): DDSketch
 * (Masson, Rim, Lee: DDSketch, PVLDB 12(12), 2019) with a relative accuracy of 1 %, so quantiles are within 1 % of a
 * value that is really there, and histograms are merged by adding up.
 */
export type Measure = 'response' | 'cost' | 'confidence';

const GAMMA = 1.01 / 0.99;
const OFFSET = 1_000_000;
const ZERO_BIN = -100_000;
const CODES: Record<Measure, number> = { response: 1, cost: 2, confidence: 3 };
/** From this confidence on the scale is linear, in thousandths. */
const LINEAR_FROM = 50;

export class Histogram {
  /** How many by key. */
  readonly #counts = new Map<number, number>();

  add(key: number, count: number): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  addAll(other: Histogram, sign: 1 | -1): void {
    for (const [key, count] of other.#counts) this.add(key, sign * count);
  }

  /** The measure's bins in ascending order with the value that each is told as. */
  bins(measure: Measure): Bin[] {
    const code = CODES[measure];
    const bins: Bin[] = [];
    for (const [key, count] of this.#counts) {
      if (count !== 0 && Math.round(key / OFFSET) === code) {
        const bin = key - code * OFFSET;
        bins.push({ bin, count, value: valueOfBin(measure, bin) });
      }
    }
    return bins.sort((a, b) => a.value - b.value);
  }
}

export interface Bin {
  readonly bin: number;
  readonly count: number;
  readonly value: number;
}

function valueOfBin(measure: Measure, bin: number): number {
  if (bin === ZERO_BIN) return 0;
  if (measure === 'confidence' && bin >= LINEAR_FROM) return bin >= 1000 ? 1 : (bin + 0.5) / 1000;
  return (2 * GAMMA ** bin) / (GAMMA + 1);
}

export function countOf(bins: readonly Bin[]): number {
  return bins.reduce((sum, { count }) => sum + count, 0);
}

/** The quantile between the two values next to its rank, as Postgres' `percentile_cont`; null without values. */
export function quantile(bins: readonly Bin[], q: number): number | null {
  const n = countOf(bins);
  if (n <= 0) return null;
  const rank = q * (n - 1);
  const low = atRank(bins, Math.floor(rank));
  const high = atRank(bins, Math.ceil(rank));
  return low + (high - low) * (rank - Math.floor(rank));
}

/** The smallest value that a share `q` of all does not exceed, as Postgres' `percentile_disc`; null without values. */
export function discreteQuantile(bins: readonly Bin[], q: number): number | null {
  const n = countOf(bins);
  return n <= 0 ? null : atRank(bins, Math.max(0, Math.ceil(q * n) - 1));
}

/** The value of the rank-th task, from 0. */
function atRank(bins: readonly Bin[], rank: number): number {
  let before = 0;
  for (const { count, value } of bins) {
    before += count;
    if (rank < before) return value;
  }
  return bins.at(-1)?.value ?? 0;
}

export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** No distribution has more bars. */
const MAX_BARS = 40;

/** Values as at most 40 bars, each reaching as many times as far as the last; zero has a bar of its own. */
export function growingBars(bins: readonly Bin[]): Bar[] {
  const zeros = countOf(bins.filter(({ bin }) => bin === ZERO_BIN));
  const rest = bins.filter(({ bin }) => bin !== ZERO_BIN);
  const [first, last] = [rest[0]?.bin, rest.at(-1)?.bin];
  const bars: Bar[] = zeros > 0 ? [{ from: 0, to: 0, count: zeros }] : [];
  if (first === undefined || last === undefined) return bars;
  const step = Math.max(1, Math.ceil((last - first + 1) / MAX_BARS));
  for (let bin = first; bin <= last; bin += step) {
    const count = countOf(rest.filter((one) => one.bin >= bin && one.bin < bin + step));
    // Bin i holds what is above γ^(i−1), up to γ^i.
    bars.push({ from: GAMMA ** (bin - 1), to: GAMMA ** (bin + step - 1), count });
  }
  return bars;
}

/** Confidences as 20 bars of 0.05; none without values. */
export function confidenceBars(bins: readonly Bin[]): Bar[] {
  if (bins.length === 0) return [];
  return Array.from({ length: 20 }, (_, n) => ({
    from: n / 20,
    to: (n + 1) / 20,
    count: countOf(
      bins.filter(({ bin }) => Math.min(19, bin < LINEAR_FROM ? 0 : Math.floor(bin / 50)) === n),
    ),
  }));
}
