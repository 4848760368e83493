import { findDates } from './dates';
import type { Setting } from './language';
import { findNumbers, type NumberToken } from './numbers';
import type { Cell, Line } from './page-text';
import type { Column } from './table-head';

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

export function tableLineOf(line: Line, columns: readonly Column[], setting: Setting): TableLine {
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
