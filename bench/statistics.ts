/** The middle of some numbers and how far they lie apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The smallest value that at least `share` (0 to 1) of all are not above; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Of an even count the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Null of none. */
export function spread(values: readonly number[]): Spread | null {
  const known = values.filter(Number.isFinite);
  if (known.length === 0) return null;
  return { median: median(known), min: Math.min(...known), max: Math.max(...known) };
}

/**
 * Ratios inside each round, where machine and hour were the same for both, then their spread. A round that lacks one
 * of the two gives none.
 */
export function ratioByRound(
  above: ReadonlyMap<number, number>,
  below: ReadonlyMap<number, number>,
): Spread | null {
  const ratios = [...above].flatMap(([round, value]) => {
    const other = below.get(round);
    return other ? [value / other] : [];
  });
  return spread(ratios);
}
