import { isLabelOnly, labelsOf, type Match } from './labels/match';
import type { Cell, DocumentText, Line } from './page-text';

/** A piece of text that may be the value of a label. */
export interface Spot {
  readonly line: Line;
  readonly text: string;
  /** Offset of the text in the line. */
  readonly offset: number;
  readonly where: 'inline' | 'right' | 'below';
  /** 0 for the best place. */
  readonly distance: number;
}

const LEADING_MARKS = /^[\s:;.,=|*°º()\-\u2013\u2022#>]+/;

function spot(line: Line, offset: number, text: string, where: Spot['where'], distance: number): Spot | null {
  const lead = LEADING_MARKS.exec(text)?.[0] ?? '';
  // A minus, "#" or opening bracket belongs to the value that follows.
  const skipped = lead.replace(/[-\u2013#(]+$/, '').length;
  const value = text.slice(skipped);
  return value.trim() === '' ? null : { line, text: value, offset: offset + skipped, where, distance };
}

/** Lines below a label that are looked at; a blank in the layout may push the value down. */
const LINES_BELOW = 3;

/**
 * Where the value of a label can stand: behind it in the same cell, in the next cell to the right, or below it. The
 * places come best first; whether one holds a value of the right kind is for the caller to say.
 */
export function spotsOf(match: Match, document: DocumentText): Spot[] {
  const { cell } = match;
  const { line } = cell;
  const spots: (Spot | null)[] = [];
  const next = labelsOf(cell).find((other) => other.from >= match.to);
  // "Fecha vto.": two labels in a row are one that the dictionary doesn't know; the second has the value.
  if (next && /^\s*$/.test(cell.text.slice(match.to, next.from)) && next.endsCell) return [];
  const rest = cell.text.slice(match.to);
  spots.push(spot(line, cell.start + match.to, rest, 'inline', 0));
  if (next && next.from > match.to) {
    spots.push(spot(line, cell.start + match.to, cell.text.slice(match.to, next.from), 'inline', 0));
  }
  const right = line.cells[cell.index + 1];
  if (right) spots.push(spot(line, right.start, right.text, 'right', 1 + (right.start - cell.end) / 40));
  if (/^[\s:;.\-()#*]*$/.test(rest) || match.endsCell) spots.push(...below(cell, document));
  return spots.filter((candidate) => candidate !== null);
}

function below(cell: Cell, document: DocumentText): (Spot | null)[] {
  const spots: (Spot | null)[] = [];
  const rightNeighbour = cell.line.cells[cell.index + 1];
  const limit = rightNeighbour ? rightNeighbour.start + 2 : Number.POSITIVE_INFINITY;
  for (let step = 1; step <= LINES_BELOW; step++) {
    const line = document.lines[cell.line.index + step];
    if (!line || line.page !== cell.line.page) break;
    for (const candidate of line.cells) {
      if (candidate.end <= cell.start || candidate.start >= limit) continue;
      const overlaps = candidate.start < cell.end && cell.start < candidate.end;
      const isNear = overlaps || candidate.start >= cell.start;
      if (!isNear || isLabelOnly(candidate)) continue;
      const shift = overlaps ? 0 : 0.5 + (candidate.start - cell.end) / 40;
      spots.push(spot(line, candidate.start, candidate.text, 'below', step + shift));
    }
  }
  return spots;
}
