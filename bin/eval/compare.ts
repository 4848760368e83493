import Big from 'big.js';

/** How an answer compares with what is known: `invented` is a value where the document shows none. */
export type Verdict = 'right' | 'wrong' | 'missing' | 'invented';

const AMOUNTS = new Set([
  'net_total',
  'tax_total',
  'grand_total',
  'amount_due',
  'revenue',
  'net_income',
  'total_assets',
]);

const isNothing = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Case, spaces and the kind of dash or quote do not matter. */
function plain(value: unknown): string {
  return String(value)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019`´]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\s+/g, '');
}

function isSame(field: string, got: unknown, wanted: unknown): boolean {
  if (isNothing(wanted)) return isNothing(got);
  if (isNothing(got)) return false;
  if (Array.isArray(wanted) && Array.isArray(got)) {
    const names = new Set(got.map(plain));
    return wanted.length === got.length && wanted.every((name) => names.has(plain(name)));
  }
  if (AMOUNTS.has(field)) {
    try {
      return new Big(String(got)).eq(String(wanted));
    } catch {
      return false;
    }
  }
  return plain(got) === plain(wanted);
}

/** Compares one field. @param alsoAccept other answers that are right too */
export function compare(
  field: string,
  got: unknown,
  wanted: unknown,
  alsoAccept: readonly unknown[] = [],
): Verdict {
  if ([wanted, ...alsoAccept].some((answer) => isSame(field, got, answer))) return 'right';
  if (isNothing(got)) return 'missing';
  return isNothing(wanted) ? 'invented' : 'wrong';
}
