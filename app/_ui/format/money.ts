import Big from 'big.js';

/**
 * US dollars for people: two digits from a dollar on, four from a cent on, below that three digits that count. The
 * exact amount belongs into a title beside it.
 * @param amount a decimal string, such as `"0.0012304"`
 */
export function formatUsd(amount: string): string {
  const value = new Big(amount);
  const size = value.abs();
  if (size.eq(0)) return '$0.00';
  const sign = value.lt(0) ? '−' : '';
  if (size.gte(1)) return `${sign}$${group(size.toFixed(2))}`;
  if (size.gte('0.01')) return `${sign}$${trimZeros(size.toFixed(4), 2)}`;
  const leadingZeros = -size.e - 1;
  return `${sign}$${trimZeros(size.toFixed(Math.min(leadingZeros + 3, 12)), 2)}`;
}

/** The amount with all its digits but no idle zeros: `0.001230400000` → `0.0012304 USD`. */
export function exactUsd(amount: string): string {
  return `${new Big(amount).toFixed()} USD`;
}

function trimZeros(text: string, keep: number): string {
  const [whole = '0', decimals = ''] = text.split('.');
  return `${whole}.${decimals.replace(/0+$/, '').padEnd(keep, '0')}`;
}

function group(text: string): string {
  const [whole = '0', decimals] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
