import { totalLabelOf } from './amount-spots';
import { findDates } from './dates';
import type { Concept } from './labels/concepts';
import { columnsOf, isLabelOnly, labelsOf } from './labels/match';
import type { Setting } from './language';
import { findNumbers, type NumberToken } from './numbers';
import type { Cell, DocumentText, Line } from './page-text';
import type { Column, TableHead } from './table-head';

/** A number of a line and the column in which it stands. */
export interface Placed {
  readonly token: NumberToken;
  readonly start: number;
  readonly end: number;
  readonly column: number;
}

export interface TableLine {
  readonly line: Line;
  readonly numbers: readonly Placed[];
  /** Text in the columns of description and article number. */
  readonly words: readonly Cell[];
}

export interface TableRegion {
  readonly head: TableHead;
  readonly lines: readonly TableLine[];
}

/** The column that a span of the grid belongs to: the one it overlaps most, else the nearest. */
export function columnAt(columns: readonly Column[], start: number, end: number): number {
  let best = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const [index, column] of columns.entries()) {
    const overlap = Math.min(end, column.end) - Math.max(start, column.start);
    // Numbers line up with the left or the right edge of their head.
    const edge = Math.min(Math.abs(end - column.end), Math.abs(start - column.start));
    const distance = overlap > 0 ? -overlap - Math.max(0, 4 - edge) : -overlap + Math.min(edge, 40) * 0.05;
    if (distance < bestDistance) {
      best = index;
      bestDistance = distance;
    }
  }
  return best;
}

/** A cell that holds numbers and at most a unit. */
function isNumeric(cell: Cell, tokens: readonly NumberToken[]): boolean {
  if (tokens.length === 0) return false;
  let rest = cell.text;
  for (const token of [...tokens].reverse()) rest = `${rest.slice(0, token.start)} ${rest.slice(token.end)}`;
  const letters = rest.replace(/[^\p{L}]/gu, '').length;
  return letters <= 9;
}

function tableLineOf(line: Line, columns: readonly Column[], setting: Setting): TableLine {
  const numbers: Placed[] = [];
  const words: Cell[] = [];
  for (const cell of line.cells) {
    const dates = findDates(cell.text, setting.dateOrder);
    const tokens = findNumbers(cell.text, setting.decimalSign).filter(
      (token) => !dates.some((date) => token.start < date.end && date.start < token.end),
    );
    if (!isNumeric(cell, tokens)) {
      words.push(cell);
      continue;
    }
    let isText = false;
    for (const token of tokens) {
      const start = cell.start + token.start;
      const end = cell.start + token.end;
      const column = columnAt(columns, start, end);
      const concept = columns[column]?.concept;
      if (concept === 'description' || concept === 'sku') isText = true;
      numbers.push({ token, start, end, column });
    }
    if (isText) words.push(cell);
  }
  return { line, numbers: inOrder(numbers, columns), words };
}

/**
 * Heads in another type than the lines may stand off from their columns. Where two numbers of a line claim one
 * column, all are dealt out anew: in order, each as near to its head as that allows.
 */
function inOrder(numbers: readonly Placed[], columns: readonly Column[]): readonly Placed[] {
  const values = numbers.filter(({ column }) => {
    const concept = columns[column]?.concept;
    return concept !== 'description' && concept !== 'sku';
  });
  const hasClash = values.some((a, i) =>
    values.some((b, j) => j > i && a.column === b.column && a.end <= b.start),
  );
  if (!hasClash || values.length > columns.length) return numbers;
  // cost[i][j]: the first i numbers dealt to the first j columns.
  const cost = Array.from({ length: values.length + 1 }, () =>
    new Array<number>(columns.length + 1).fill(Number.POSITIVE_INFINITY),
  );
  const at = (i: number, j: number) => cost[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let j = 0; j <= columns.length; j++) (cost[0] as number[])[j] = 0;
  for (let i = 1; i <= values.length; i++) {
    for (let j = 1; j <= columns.length; j++) {
      const step = at(i - 1, j - 1) + offset(values[i - 1], columns[j - 1]);
      (cost[i] as number[])[j] = Math.min(at(i, j - 1), step);
    }
  }
  const dealt = new Map<Placed, number>();
  for (let i = values.length, j = columns.length; i > 0 && j > 0; j--) {
    const value = values[i - 1];
    if (value && at(i, j) < at(i, j - 1)) {
      dealt.set(value, j - 1);
      i--;
    }
  }
  return numbers.map((placed) => ({ ...placed, column: dealt.get(placed) ?? placed.column }));
}

function offset(placed: Placed | undefined, column: Column | undefined): number {
  if (!placed || !column) return Number.POSITIVE_INFINITY;
  if (column.concept === 'description' || column.concept === 'sku') return 1_000;
  if (placed.token.isPercent && column.concept !== 'taxRate' && column.concept !== 'discount') return 500;
  return Math.min(Math.abs(placed.end - column.end), Math.abs(placed.start - column.start));
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
