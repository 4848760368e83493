import Big from 'big.js';

/** How a figure moved against the period before. */
export interface Change {
  readonly direction: 'up' | 'down' | 'same';
  /** `+12 %`, `−3 %`, `× 12`, `new`, `unchanged`. */
  readonly text: string;
}

/**
 * Compares two figures; null where there is nothing to compare with.
 * @param now, before numbers, or decimal strings of money
 */
export function changeBetween(now: string | number | null, before: string | number | null): Change | null {
  if (now === null || before === null) return null;
  const [after, base] = [new Big(now), new Big(before)];
  if (base.eq(0))
    return after.eq(0) ? { direction: 'same', text: 'unchanged' } : { direction: 'up', text: 'new' };
  const share = after.minus(base).div(base);
  if (share.abs().lt('0.0005')) return { direction: 'same', text: 'unchanged' };
  const direction = share.gt(0) ? 'up' : 'down';
  if (share.gte(9)) return { direction, text: `× ${after.div(base).toFixed(0)}` };
  const percent = share.abs().times(100);
  const digits = percent.lt(10) ? 1 : 0;
  return { direction, text: `${direction === 'up' ? '+' : '−'}${percent.toFixed(digits)}\u202f%` };
}
