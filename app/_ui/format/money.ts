/**
 * US dollars for people: two digits from a dollar on, four from a cent on, below that three digits that count,
 * idle zeros too: amounts beside each other are read by their length. The exact amount belongs into a title beside it. Rounded by `Intl.NumberFormat`, which takes a decimal string as it is: no
 * digit goes through a double, and a page needs no library for it.
 * @param amount a plain decimal string, such as `"0.0012304"`
 */
export function formatUsd(amount: string): string {
  const isNegative = amount.startsWith('-');
  const size = isNegative ? amount.slice(1) : amount;
  const first = /[1-9]/.exec(size)?.index;
  if (first === undefined) return '$0.00';
  return `${isNegative ? '−' : ''}$${rounded(size, decimalsFor(size, first))}`;
}

/** The amount with all its digits but no idle zeros: `0.001230400000` → `0.0012304 USD`. */
export function exactUsd(amount: string): string {
  return `${amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount} USD`;
}

const MOST_DECIMALS = 12;

/** @param first where the first digit that counts stands in `size` */
function decimalsFor(size: string, first: number): number {
  const point = size.includes('.') ? size.indexOf('.') : size.length;
  if (first < point) return 2;
  const zeros = first - point - 1;
  return zeros < 2 ? 4 : Math.min(zeros + 3, MOST_DECIMALS);
}

const formatters = new Map<number, Intl.NumberFormat>();

function rounded(size: string, decimals: number): string {
  const format =
    formatters.get(decimals) ??
    new Intl.NumberFormat('en-GB', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  formatters.set(decimals, format);
  // A decimal string in full; TypeScript knows only literals of numbers.
  return format.format(size as Intl.StringNumericLiteral);
}
