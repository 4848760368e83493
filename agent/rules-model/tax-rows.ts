import Big from 'big.js';
import { findDates } from './dates';
import { labelsOf } from './labels/match';
import type { Setting } from './language';
import { findNumbers, isMoney, type NumberToken } from './numbers';
import type { DocumentText, Line } from './page-text';

/** A line that gives base and tax of one rate. */
export interface TaxRow {
  readonly rate: Big;
  readonly base: Big | null;
  readonly tax: Big;
  readonly decimals: number;
  readonly line: Line;
  readonly quote: string;
}

const TOLERANCE = new Big('0.02');
const MAX_NUMBERS = 10;

/** True where tax is the share of base that the rate says, rounding aside. */
function isTaxOf(base: Big, rate: Big, tax: Big): boolean {
  return base.times(rate).div(100).minus(tax).abs().lte(TOLERANCE);
}

/** Rows of a breakdown by rate. A row counts when its arithmetic holds, or when it is labelled as tax of a rate. */
export function findTaxRows(
  document: DocumentText,
  setting: Setting,
  skip: ReadonlySet<Line>,
): { rows: TaxRow[]; labelledRows: TaxRow[] } {
  const rows: TaxRow[] = [];
  const labelledRows: TaxRow[] = [];
  for (const line of document.lines) {
    if (skip.has(line)) continue;
    const tokens = numbersOf(line, setting);
    const row = rowOf(line, tokens);
    if (row) rows.push(row);
    else {
      const labelledRow = labelledRowOf(line, tokens);
      if (labelledRow) labelledRows.push(labelledRow);
    }
  }
  return { rows: distinct(rows), labelledRows: distinct(labelledRows) };
}

function numbersOf(line: Line, setting: Setting): NumberToken[] {
  const dates = findDates(line.text, setting.dateOrder);
  return findNumbers(line.text, setting.decimalSign)
    .filter((token) => !dates.some((date) => token.start < date.end && date.start < token.end))
    .slice(0, MAX_NUMBERS);
}

function rowOf(line: Line, tokens: readonly NumberToken[]): TaxRow | null {
  if (tokens.length < 3) return null;
  const money = tokens.filter(isMoney);
  const percents = tokens.filter((token) => token.isPercent);
  const rates =
    percents.length > 0 ? percents : tokens.filter((token) => !money.includes(token) || token.value.lte(30));
  for (const rate of rates) {
    if (rate.value.lte(0) || rate.value.gt(30)) continue;
    for (const base of money) {
      for (const tax of money) {
        if (base === tax || base === rate || tax === rate || tax.value.abs().gte(base.value.abs())) continue;
        if (tax.value.eq(0) || !isTaxOf(base.value, rate.value, tax.value)) continue;
        return {
          rate: rate.value,
          base: base.value,
          tax: tax.value,
          decimals: tax.decimals,
          line,
          quote: line.text.slice(tax.start, tax.end).trim(),
        };
      }
    }
  }
  return null;
}

function labelledRowOf(line: Line, tokens: readonly NumberToken[]): TaxRow | null {
  const isTax = line.cells.some((cell) => labelsOf(cell).some((match) => match.concepts.has('tax')));
  const rate = tokens.find((token) => token.isPercent);
  const money = tokens.filter(isMoney);
  const [tax] = money;
  if (!isTax || !rate || !tax || money.length !== 1 || rate.value.gt(30)) return null;
  return {
    rate: rate.value,
    base: null,
    tax: tax.value,
    decimals: tax.decimals,
    line,
    quote: line.text.slice(tax.start, tax.end).trim(),
  };
}

function distinct(rows: readonly TaxRow[]): TaxRow[] {
  return rows.filter(
    (row, index) =>
      !rows
        .slice(0, index)
        .some(
          (other) =>
            other.rate.eq(row.rate) &&
            other.tax.eq(row.tax) &&
            (other.base === null || row.base === null || other.base.eq(row.base)),
        ),
  );
}
