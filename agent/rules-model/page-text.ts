import { type Folded, fold } from './fold';

/** A run of text without a gap; columns of a line are cells of their own. */
export interface Cell {
  readonly line: Line;
  readonly index: number;
  readonly text: string;
  /** Columns in the monospace grid, end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly folded: Folded;
}

export interface Line {
  /** As in the prompt, such as `3:17`. */
  readonly id: string;
  readonly page: number;
  /** Position among all lines of the prompt. */
  readonly index: number;
  readonly text: string;
  readonly cells: readonly Cell[];
  /** White space stands above: another block begins. */
  readonly gapAbove: boolean;
}

export interface DocumentText {
  readonly lines: readonly Line[];
  readonly pages: readonly (readonly Line[])[];
  /** Pages of the whole document, also when the prompt holds only some of them. */
  readonly pageCount: number;
}

const PAGE_HEADER = /^=== page (\d{1,6}) of (\d{1,6})\b/i;
const NUMBERED_LINE = /^\s{0,4}(\d{1,6}):(\d{1,6})\|[ \t]?/;
/** Longer lines are no layout of a page; what is beyond is not read. */
const MAX_LINE_CHARACTERS = 1_500;

function toCells(line: Line): Cell[] {
  const cells: Cell[] = [];
  for (const match of line.text.matchAll(/\S+(?:[^\S\n]\S+)*/g)) {
    cells.push({
      line,
      index: cells.length,
      text: match[0],
      start: match.index,
      end: match.index + match[0].length,
      folded: fold(match[0]),
    });
  }
  return cells;
}

/**
 * Reads the pages of a prompt (`=== page 3 of 12 ===`, then `3:17| text`). Text without such marks is taken as one
 * page with numbered lines, so that the model answers about any text.
 */
export function readPages(prompt: string): DocumentText {
  const rows = prompt.split(/\r?\n/);
  const isNumbered = rows.some((row) => NUMBERED_LINE.test(row));
  const lines: Line[] = [];
  const pages = new Map<number, Line[]>();
  let pageCount = 0;
  let page = 1;
  let gapAbove = true;
  for (const [position, row] of rows.entries()) {
    if (row.trim() === '') gapAbove = true;
    const header = PAGE_HEADER.exec(row);
    if (header) {
      page = Number(header[1]);
      pageCount = Math.max(pageCount, Number(header[2]));
      gapAbove = true;
      continue;
    }
    const numbered = NUMBERED_LINE.exec(row);
    if (isNumbered && !numbered) continue;
    if (numbered) page = Number(numbered[1]);
    const text = row
      .slice(numbered ? numbered[0].length : 0, MAX_LINE_CHARACTERS)
      .replace(/\t/g, '    ')
      .replace(/\u200b|\u200c|\u200d|\u2060|\ufeff|\u00ad/g, '')
      .trimEnd();
    if (text.trim() === '') continue;
    const id = numbered ? `${numbered[1]}:${numbered[2]}` : `1:${position + 1}`;
    const line: Line & { cells: Cell[] } = { id, page, index: lines.length, text, cells: [], gapAbove };
    gapAbove = false;
    line.cells.push(...toCells(line));
    lines.push(line);
    const onPage = pages.get(page);
    if (onPage) onPage.push(line);
    else pages.set(page, [line]);
  }
  return { lines, pages: [...pages.values()], pageCount: Math.max(pageCount, pages.size) };
}
