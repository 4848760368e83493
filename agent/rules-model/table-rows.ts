import { totalLabelOf } from './amount-spots';
import type { Concept } from './labels/concepts';
import { columnsOf, isLabelOnly, labelsOf } from './labels/match';
import type { Setting } from './language';
import { findNumbers } from './numbers';
import type { DocumentText } from './page-text';
import { type TableLine, tableLineOf } from './table-grid';
import type { TableHead } from './table-head';

export interface TableRegion {
  readonly head: TableHead;
  readonly lines: readonly TableLine[];
}

/** A line of totals below the table: a label of totals that is the whole of its cell, with an amount. */
function isTotalLine(row: TableLine, setting: Setting): boolean {
  return row.line.cells.some((cell) => {
    const label = totalLabelOf(cell);
    if (!label) return false;
    if (labelsOf(cell).some((match) => match.concepts.has('carryOver'))) return false;
    const rest = cell.text.slice(label.to).replace(/\([^)]*\)/g, ' ');
    const isWholeCell = label.endsCell || !/\p{L}{4,}/u.test(rest);
    const hasAmountAfter =
      findNumbers(rest, setting.decimalSign).some((token) => !token.isPercent) ||
      row.numbers.some((number) => number.start >= cell.end && !number.token.isPercent) ||
      row.line.cells.slice(cell.index + 1).some((next) => totalLabelOf(next) !== undefined);
    // A description such as "Deposit" stands in the first column with a quantity; totals have no quantity.
    const isPosition = row.numbers.length >= 3 && !label.concepts.has('subtotal') && label.weight < 9;
    return isWholeCell && hasAmountAfter && !isPosition;
  });
}

/** How far below a subtotal the table may go on. */
const BELOW_SUBTOTAL = 10;

/** A subtotal of a group: below it come further positions with quantity, price and amount. */
function isSubtotalWithin(
  row: TableLine,
  document: DocumentText,
  head: TableHead,
  limit: number,
  setting: Setting,
): boolean {
  const isSubtotal = row.line.cells.some((cell) => totalLabelOf(cell)?.concepts.has('subtotal'));
  if (!isSubtotal || row.numbers.length === 0) return false;
  const until = Math.min(limit, row.line.index + 1 + BELOW_SUBTOTAL);
  for (const line of document.lines.slice(row.line.index + 1, until)) {
    if (line.cells.some((cell) => totalLabelOf(cell))) return false;
    const { numbers, words } = tableLineOf(line, head.columns, setting);
    const concepts = new Set(numbers.map(({ column }) => head.columns[column]?.concept));
    if (words.length > 0 && concepts.has('amount') && concepts.has('unitPrice')) return true;
  }
  return false;
}

/** The heading of what follows the table: notes, payment, the head of the breakdown of tax. */
function isEndHeading(row: TableLine): boolean {
  const [cell] = row.line.cells;
  if (!cell || row.numbers.length > 0) return false;
  if (row.line.cells.length > 1) return isOtherHead(row);
  const label = labelsOf(cell).find((match) => match.startsCell);
  if (!label) return false;
  const isHeading =
    label.concepts.has('otherHeading') || label.concepts.has('bank') || label.concepts.has('dueDate');
  return isHeading && label.weight > 4 && (isLabelOnly(cell) || label.concepts.has('dueDate'));
}

/** The head of another table: several labels and nothing else. */
function isOtherHead({ line }: TableLine): boolean {
  if (line.cells.length < 3) return false;
  const labels = line.cells.flatMap((cell) => labelsOf(cell).filter((match) => match.startsCell));
  const says = (concept: Concept) => labels.some((match) => match.concepts.has(concept));
  if (says('net') && says('tax') && says('gross')) return true;
  const labelled = line.cells.filter((cell) =>
    [...labelsOf(cell), ...columnsOf(cell)].some((match) => match.startsCell),
  );
  return labelled.length >= line.cells.length - 1 && says('tax');
}

export function isCarryOver(row: TableLine): boolean {
  return row.line.cells.some((cell) =>
    labelsOf(cell).some((match) => match.concepts.has('carryOver') && match.startsCell && match.weight >= 5),
  );
}

/** The lines below each head up to the totals; a table goes on over pages. */
export function findTableRegions(
  document: DocumentText,
  heads: readonly TableHead[],
  setting: Setting,
): TableRegion[] {
  const regions: TableRegion[] = [];
  let closedUntil = -1;
  for (const [index, head] of heads.entries()) {
    const last = Math.max(...head.lines.map((line) => line.index));
    if (last < closedUntil) continue;
    const nextHead = heads[index + 1];
    const limit = nextHead ? Math.min(...nextHead.lines.map((line) => line.index)) : document.lines.length;
    const lines: TableLine[] = [];
    let at = last + 1;
    for (; at < limit; at++) {
      const line = document.lines[at];
      if (!line) break;
      const row = tableLineOf(line, head.columns, setting);
      // What stands above a repeated head belongs to the top of its page.
      if (nextHead && line.page === nextHead.lines[0]?.page && line.page !== head.lines[0]?.page) continue;
      const hasRows = lines.some((known) => known.numbers.length > 0);
      if (hasRows && isSubtotalWithin(row, document, head, limit, setting)) continue;
      if ((hasRows && isTotalLine(row, setting)) || (hasRows && isEndHeading(row))) break;
      lines.push(row);
    }
    regions.push({ head, lines });
    closedUntil = at;
  }
  return regions;
}
