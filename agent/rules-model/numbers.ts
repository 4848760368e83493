import Big from 'big.js';
import { CURRENCY_PATTERN, currencyOf } from './currency';

/** Which sign stands before the decimals in this document. */
export type DecimalSign = 'comma' | 'point' | 'unknown';

/** A number as it stands in a text. */
export interface NumberToken {
  readonly value: Big;
  /** Offsets in the text, sign and currency included, end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly decimals: number;
  /** ISO code, `'$'` when the sign says no more, null without. */
  readonly currency: string | null;
  readonly isPercent: boolean;
  /** Letters that touch the number, such as `kg`. */
  readonly unit: string | null;
}

const SPACE = '[ \\u00a0\\u202f\\u2009]';
const CORE = new RegExp(
  `\\d{1,3}(?:${SPACE}\\d{3})+(?![\\d])(?:[.,]\\d{1,4}(?!\\d))?|\\d+(?:[.,'\u2019]\\d+)*`,
  'g',
);
const SIGN = `(?:[-+\\u2212\\u2013]${SPACE}?)?`;
const BEFORE = new RegExp(`${SIGN}(?:${CURRENCY_PATTERN}${SPACE}?)?${SIGN}\\(?$`);
const AFTER = new RegExp(`^(?:\\))?${SPACE}?(${CURRENCY_PATTERN})(?![\\p{L}\\d])|^(?:\\))?${SPACE}?(%)`, 'u');
/** A number has no more characters than this; longer digit runs are barcodes. */
const MAX_DIGITS = 18;

/** Value and number of decimals of a run of digits and separators; null for dates, versions and the like. */
export function readDigits(run: string, sign: DecimalSign): { value: Big; decimals: number } | null {
  const compact = run.replace(/[\s\u00a0\u202f\u2009]/g, ' ').replaceAll('\u2019', "'");
  if (compact.length > MAX_DIGITS + 8) return null;
  const separators = [...compact.matchAll(/[.,' ]/g)].map((match) => match[0]);
  const groups = compact.split(/[.,' ]/);
  const last = groups.at(-1) ?? '';
  if (groups.join('').length > MAX_DIGITS) return null;
  const isGrouped = (parts: string[]) =>
    (parts[0]?.length ?? 0) <= 3 && parts.slice(1).every((part) => part.length === 3);
  const whole = () => ({ value: new Big(groups.join('')), decimals: 0 });
  const withDecimals = () => ({
    value: new Big(`${groups.slice(0, -1).join('')}.${last}`),
    decimals: last.length,
  });
  if (separators.length === 0) return whole();
  const final = separators.at(-1) ?? '';
  const kinds = new Set(separators);
  if (kinds.size === 1) {
    if (separators.length > 1) return isGrouped(groups) ? whole() : null;
    if (final === ' ' || final === "'") return isGrouped(groups) ? whole() : null;
    const isDecimalSign = sign !== 'unknown' && (sign === 'comma') === (final === ',');
    if (last.length !== 3 || !isGrouped(groups) || groups[0] === '0' || isDecimalSign) return withDecimals();
    return whole();
  }
  const others = separators.slice(0, -1);
  if (new Set(others).size !== 1 || final === ' ' || final === "'") return null;
  const integer = groups.slice(0, -1);
  const isIndian = integer.slice(1, -1).every((part) => part.length === 2) && integer.at(-1)?.length === 3;
  return isGrouped(integer) || isIndian ? withDecimals() : null;
}

/** All numbers of a text in order. Dates, times, phone numbers, part numbers and barcodes are left out. */
export function findNumbers(text: string, sign: DecimalSign): NumberToken[] {
  const tokens: NumberToken[] = [];
  for (const match of text.matchAll(CORE)) {
    const token = tokenAt(text, match.index, match[0], sign);
    if (token) tokens.push(token);
  }
  return tokens;
}

function tokenAt(text: string, at: number, run: string, sign: DecimalSign): NumberToken | null {
  const digits = readDigits(run, sign);
  if (!digits) return null;
  const end = at + run.length;
  const head = text.slice(Math.max(0, at - 16), at);
  const before = BEFORE.exec(head)?.[0] ?? '';
  const start = at - before.length;
  // What touches the number on its left decides whether it is one: "AB-12", "1/2" and "12:30" are not.
  const previous = text[start - 1] ?? ' ';
  if (before.trim() === '' && /[\p{L}\p{N}_/.,'-]/u.test(previous)) return null;
  if (before !== '' && /[\p{L}\p{N}_/]/u.test(previous) && !/^\s/.test(before)) return null;
  if (previous === ':' && /\d/.test(text[start - 2] ?? '')) return null;
  const tail = text.slice(end, end + 16);
  if (/^[/:_]\s?[\p{L}\p{N}]|^-[\p{L}\p{N}]|^[.,]\d/u.test(tail)) return null;
  const after = AFTER.exec(tail);
  const unit = /^\p{L}{1,6}/u.exec(tail)?.[0] ?? null;
  const currency = currencyIn(before) ?? (after?.[1] ? currencyOf(after[1]) : null);
  const isParenthesised = before.endsWith('(') && tail.startsWith(')');
  const hasTrailingMinus = /^[-\u2212\u2013](?![\p{L}\p{N}])(?:\s|$)/u.test(tail);
  const isNegative = /[-\u2212\u2013]/.test(before) || isParenthesised || hasTrailingMinus;
  return {
    value: isNegative ? digits.value.times(-1) : digits.value,
    start,
    end: end + (after?.[0].length ?? (hasTrailingMinus || isParenthesised ? 1 : 0)),
    decimals: digits.decimals,
    currency,
    isPercent: after?.[2] === '%',
    unit: after && currency ? null : unit,
  };
}

function currencyIn(before: string): string | null {
  const word = before.replace(/[-+\u2212\u2013(]/g, '').trim();
  return word === '' ? null : currencyOf(word);
}

/** True where a number looks like money: two decimals, or a currency beside it. */
export function isMoney(token: NumberToken): boolean {
  return !token.isPercent && token.unit === null && (token.decimals === 2 || token.currency !== null);
}

/** Decides by the numbers with two decimals which sign the document uses. */
export function decimalSignOf(texts: Iterable<string>): DecimalSign {
  let comma = 0;
  let point = 0;
  for (const text of texts) {
    for (const match of text.matchAll(
      /(?<![\d.,/-])\d[\d.,' \u00a0\u202f]{0,14}?([.,])\d{2}(?![\d.,/-]\d|\d)/g,
    )) {
      if (match[1] === ',') comma++;
      else point++;
    }
  }
  if (comma === 0 && point === 0) return 'unknown';
  return comma >= point ? 'comma' : 'point';
}

/** A decimal string with the decimals that were printed, such as `1234.50`. */
export function decimalText(token: Pick<NumberToken, 'value' | 'decimals'>): string {
  return token.value.toFixed(Math.max(token.decimals, 0)).replace(/^-(0(?:\.0+)?)$/, '$1');
}
