import { fold } from './fold';

/** Whether 03/04/2024 is the third of April or the fourth of March. */
export type DateOrder = 'day-first' | 'month-first';

/** A date as it stands in a text. */
export interface DateToken {
  readonly iso: string;
  /** Offsets in the original text, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** True where day and month could be swapped. */
  readonly isAmbiguous: boolean;
}

/** Beginnings of month names in the six languages, folded; the number is the month. */
const MONTHS: readonly (readonly [RegExp, number])[] = [
  [/^(?:jan|janvier|januar|janner|jaenner|enero|ene|gennaio|gen|januari)/, 1],
  [/^(?:feb|fev|febbraio)/, 2],
  [/^(?:mar(?!d)|mars|maerz|marz|mrt|maart|mrz)/, 3],
  [/^(?:apr|avr|abr)/, 4],
  [/^(?:may|mai|mei|mag)/, 5],
  [/^(?:jun|juin|giu)/, 6],
  [/^(?:jul|juil|lug)/, 7],
  [/^(?:aug|aout|ago|aou)/, 8],
  [/^(?:sep|set)/, 9],
  [/^(?:oct|okt|ott)/, 10],
  [/^nov/, 11],
  [/^(?:dec|dez|dic)/, 12],
];

const MONTH_NAMES = new Set(
  `january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec
  januar jaenner janner februar maerz marz mai juni juli oktober dezember mrz okt dez
  janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre janv fevr fev avr juil
  enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre ene abr ago set dic
  gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug ott
  januari februari maart mei augustus mrt`
    .split(/\s+/)
    .filter(Boolean),
);

const YEAR_FIRST = /(?<![\d.,/-])((?:19|20)\d{2}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{1,2})(?![\d]|[-/.]\d)/g;
const NUMERIC =
  /(?<![\d,/-])(?<!\d\.)(\d{1,2}) ?([-/.]) ?(\d{1,2}) ?\2 ?((?:19|20)\d{2}|\d{2})(?![\d]|[-/.]\d)/g;
const DAY_MONTH =
  /(?<![\d.,/])(\d{1,2})(?:\.|st|nd|rd|th|er|o|e)?(?: del? | of | day of |[ ./-]{0,2})([a-z]{3,10})\.?,?(?: de[l]?)?[ ./,'-]{0,2}((?:19|20)\d{2}|\d{2})(?!\d)/g;
const MONTH_DAY = /(?<![a-z])([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)? ?,? ?((?:19|20)\d{2})(?!\d)/g;

function monthOf(name: string): number | null {
  if (!MONTH_NAMES.has(name)) return null;
  return MONTHS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

function fullYear(year: string): number {
  if (year.length === 4) return Number(year);
  return Number(year) < 70 ? 2000 + Number(year) : 1900 + Number(year);
}

/** `2024-12-31`, or null where there is no such day. */
function isoDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1900) return null;
  return date.toISOString().slice(0, 10);
}

interface Found {
  readonly iso: string | null;
  readonly isAmbiguous?: boolean;
}

function numeric(a: number, b: number, year: number, order: DateOrder): Found {
  if (a > 12) return { iso: isoDate(year, b, a) };
  if (b > 12) return { iso: isoDate(year, a, b) };
  const iso = order === 'day-first' ? isoDate(year, b, a) : isoDate(year, a, b);
  return { iso, isAmbiguous: a !== b };
}

/** All dates of a text, in the order in which they stand. Linear in the length of the text. */
export function findDates(text: string, order: DateOrder): DateToken[] {
  const folded = fold(text);
  const found: DateToken[] = [];
  const add = (match: RegExpMatchArray & { index: number }, { iso, isAmbiguous = false }: Found) => {
    if (iso === null) return;
    const start = folded.at[match.index] ?? 0;
    const end = (folded.at[match.index + match[0].length - 1] ?? 0) + 1;
    if (found.some((other) => start < other.end && other.start < end)) return;
    found.push({ iso, start, end, isAmbiguous });
  };
  const part = (match: RegExpMatchArray, index: number) => match[index] ?? '';
  for (const match of folded.text.matchAll(YEAR_FIRST)) {
    add(match, { iso: isoDate(Number(part(match, 1)), Number(part(match, 3)), Number(part(match, 4))) });
  }
  for (const match of folded.text.matchAll(DAY_MONTH)) {
    const month = monthOf(part(match, 2));
    if (month) add(match, { iso: isoDate(fullYear(part(match, 3)), month, Number(part(match, 1))) });
  }
  for (const match of folded.text.matchAll(MONTH_DAY)) {
    const month = monthOf(part(match, 1));
    if (month) add(match, { iso: isoDate(Number(part(match, 3)), month, Number(part(match, 2))) });
  }
  for (const match of folded.text.matchAll(NUMERIC)) {
    const [a, b] = [Number(part(match, 1)), Number(part(match, 3))];
    // With a point the month never stands first.
    const ruling = part(match, 2) === '.' ? 'day-first' : order;
    const date = numeric(a, b, fullYear(part(match, 4)), ruling);
    add(match, part(match, 2) === '.' ? { iso: date.iso } : date);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** What the unambiguous dates of a document say about the order; null where they say nothing. */
export function dateOrderEvidence(texts: Iterable<string>): DateOrder | null {
  let dayFirst = 0;
  let monthFirst = 0;
  for (const text of texts) {
    for (const match of fold(text).text.matchAll(NUMERIC)) {
      if (match[2] === '.') continue;
      const [a, b] = [Number(match[1]), Number(match[3])];
      if (a > 12 && a <= 31 && b <= 12) dayFirst++;
      else if (b > 12 && b <= 31 && a <= 12) monthFirst++;
    }
  }
  if (dayFirst === monthFirst) return null;
  return dayFirst > monthFirst ? 'day-first' : 'month-first';
}
