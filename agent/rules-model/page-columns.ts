import type { Cell, DocumentText } from './page-text';

const COLUMN_SLACK = 4;

/** Cells of the same column below a cell, nearest first. */
export function columnBelow(cell: Cell, document: DocumentText, depth: number): Cell[] {
  const found: Cell[] = [];
  for (let step = 1; step <= depth; step++) {
    const line = document.lines[cell.line.index + step];
    if (!line || line.page !== cell.line.page) break;
    const inColumn = line.cells.find(
      (other) =>
        Math.abs(other.start - cell.start) <= COLUMN_SLACK ||
        (other.start >= cell.start && other.start < cell.end),
    );
    if (inColumn) found.push(inColumn);
  }
  return found;
}

export function columnAbove(cell: Cell, document: DocumentText, depth: number): Cell[] {
  const found: Cell[] = [];
  for (let step = 1; step <= depth; step++) {
    const line = document.lines[cell.line.index - step];
    if (!line || line.page !== cell.line.page) break;
    const inColumn = line.cells.find((other) => Math.abs(other.start - cell.start) <= COLUMN_SLACK);
    if (inColumn) found.push(inColumn);
  }
  return found;
}
