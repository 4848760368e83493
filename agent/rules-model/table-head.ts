import type { ColumnConcept } from './labels/concepts';
import { columnsOf, labelsOf, type Match } from './labels/match';
import type { Setting } from './language';
import { findNumbers, isMoney } from './numbers';
import type { Cell, DocumentText, Line } from './page-text';

/** A column of the table of positions and where it stands in the grid. */
export interface Column {
  readonly concept: ColumnConcept;
  readonly start: number;
  readonly end: number;
}

export interface TableHead {
  /** The lines of the head: a head can be stacked over several lines. */
  readonly lines: readonly Line[];
  readonly columns: readonly Column[];
}

/** Where the words of a head leave the meaning open, this order decides. */
const PREFERENCE: readonly ColumnConcept[] = [
  'taxAmount',
  'unitPrice',
  'quantity',
  'amount',
  'description',
  'taxRate',
  'discount',
  'unit',
  'sku',
  'position',
  'date',
];

function conceptOf(match: Match<ColumnConcept>): ColumnConcept {
  return PREFERENCE.find((concept) => match.concepts.has(concept)) ?? 'description';
}

function columnsIn(line: Line): { columns: Column[]; covered: number; letters: number } {
  const columns: Column[] = [];
  let covered = 0;
  let letters = 0;
  for (const cell of line.cells) {
    letters += lettersOf(cell.text);
    const matches = columnsOf(cell);
    let previous: Column | null = null;
    for (const match of matches) {
      covered += lettersOf(cell.text.slice(match.from, match.to));
      const concept = conceptOf(match);
      const column: Column = { concept, start: cell.start + match.from, end: cell.start + match.to };
      // "Product / Service" in one cell is one column; "Pos Description" are two.
      if (previous && previous.concept === concept) {
        columns[columns.length - 1] = { ...previous, end: column.end };
      } else columns.push(column);
      previous = columns.at(-1) ?? null;
    }
  }
  return { columns, covered, letters };
}

function lettersOf(text: string): number {
  return text.replace(/[^\p{L}\p{N}]/gu, '').length;
}

function hasMoney(line: Line, setting: Setting): boolean {
  return findNumbers(line.text, setting.decimalSign).some(isMoney);
}

/** Whether a line could be the head, or part of one. */
function isHeadLine(columns: readonly Column[]): boolean {
  const concepts = new Set(columns.map((column) => column.concept));
  const names = ['description', 'sku', 'position'].some((c) => concepts.has(c as ColumnConcept));
  const values = ['amount', 'unitPrice', 'quantity'].filter((c) => concepts.has(c as ColumnConcept)).length;
  return (names && values >= 1 && concepts.size >= 2) || values >= 3 || (values >= 2 && concepts.size >= 3);
}

/** A neighbour of the head whose short words hang over or under its columns. */
function isStacked(line: Line, base: Line, columns: readonly Column[]): boolean {
  if (line.cells.length > columns.length + 2) return false;
  const first = Math.min(...columns.map((column) => column.start)) - 6;
  const last = Math.max(...columns.map((column) => column.end)) + 12;
  return (
    line.cells.every(
      (cell) => cell.text.length <= 24 && cell.start >= first && cell.end <= last && !cell.text.includes(':'),
    ) && line.page === base.page
  );
}

function mergeStacked(base: Line, columns: readonly Column[], others: readonly Line[]): Column[] {
  const merged = [...columns];
  const gaps: Cell[] = [];
  for (const line of others) {
    for (const cell of line.cells) {
      const at = merged.findIndex((column) => column.start < cell.end && cell.start < column.end);
      const column = merged[at];
      if (column) {
        const combined = combinedConcept(base, column, cell, line.index < base.index);
        merged[at] = {
          concept: combined ?? column.concept,
          start: Math.min(column.start, cell.start),
          end: Math.max(column.end, cell.end),
        };
      } else gaps.push(cell);
    }
  }
  for (const cell of gaps) {
    const [match] = columnsOf(cell);
    if (match?.startsCell) merged.push({ concept: conceptOf(match), start: cell.start, end: cell.end });
  }
  return merged.sort((a, b) => a.start - b.start);
}

/** What two stacked words mean together, such as "Prix" over "unitaire" or "Unit" over "Price". */
function combinedConcept(base: Line, column: Column, cell: Cell, isAbove: boolean): ColumnConcept | null {
  const own = base.text.slice(column.start, column.end);
  const text = isAbove ? `${cell.text} ${own}` : `${own} ${cell.text}`;
  const pseudo: Cell = { ...cell, text, folded: { text: text.toLowerCase(), at: [] } };
  const match = columnsOf(pseudo).find((candidate) => candidate.startsCell && candidate.endsCell);
  return match ? conceptOf(match) : null;
}

/** The head of a breakdown by rate: tax in several columns, no quantity and no price. */
function isTaxHead(line: Line, columns: readonly Column[]): boolean {
  if (columns.some(({ concept }) => concept === 'quantity' || concept === 'unitPrice')) return false;
  const taxed = line.cells.filter((cell) => labelsOf(cell).some((match) => match.concepts.has('tax')));
  return taxed.length >= 2;
}

/** All heads of tables of positions, in the order of the pages. */
export function findTableHeads(document: DocumentText, setting: Setting): TableHead[] {
  const heads: TableHead[] = [];
  for (const line of document.lines) {
    if (heads.at(-1)?.lines.includes(line)) continue;
    if (hasMoney(line, setting)) continue;
    const { columns, covered, letters } = columnsIn(line);
    if (!isHeadLine(columns) || covered < letters * 0.5 || line.cells.length < 2) continue;
    const others: Line[] = [];
    for (const step of [-1, -2]) {
      const other = document.lines[line.index + step];
      if (!other || hasMoney(other, setting) || !isStacked(other, line, columns) || !isFragment(other)) break;
      others.push(other);
    }
    for (const step of [1, 2, 3]) {
      const other = document.lines[line.index + step];
      if (!other || /\d/.test(other.text) || !isStacked(other, line, columns) || !isFragment(other)) break;
      others.push(other);
    }
    const merged = mergeStacked(line, columns, others);
    if (isTaxHead(line, merged)) continue;
    if (!merged.some((column) => column.concept === 'amount' || column.concept === 'unitPrice')) continue;
    heads.push({ lines: [line, ...others], columns: merged });
  }
  return heads;
}

/** Lines of positions are not swallowed: a fragment of a head has a word that heads use. */
function isFragment(line: Line): boolean {
  return (
    line.cells.some((cell) => columnsOf(cell).some((match) => match.startsCell)) ||
    line.cells.every((cell) => /^\(.*\)$/.test(cell.text))
  );
}
