import type { PageText, Word } from './reader/page';
import { groupIntoLines, type Piece, turnUpright } from './text-lines';

/** A word and the columns `[start, end)` that it takes in the text of its line. */
export interface PlacedWord {
  readonly word: Word;
  readonly start: number;
  readonly end: number;
}

/** One line of a page as the model sees it. `id` is `page:number`, such as `3:17`. */
export interface LayoutLine {
  readonly id: string;
  readonly page: number;
  readonly text: string;
  readonly words: readonly PlacedWord[];
  /** True when white space stands above: a new paragraph or block. */
  readonly gapAbove: boolean;
}

/** All pages as text for the model: a header per page, then each line with its id. */
export function renderPages(pages: readonly PageText[], totalPages: number = pages.length): string {
  return pages.map((page) => renderLines(page.page, layoutPage(page), totalPages)).join('\n');
}

/** One page's lines under its header. */
export function renderLines(page: number, lines: readonly LayoutLine[], totalPages: number): string {
  const out = [`=== page ${page} of ${totalPages} ===`];
  for (const line of lines) {
    if (line.gapAbove) out.push('');
    out.push(`${line.id}| ${line.text}`);
  }
  return out.join('\n');
}

/** A page's words as lines of monospaced text in which columns stay where they are on the page. */
export function layoutPage(page: PageText): LayoutLine[] {
  const upright = turnUpright(page);
  const lines = groupIntoLines(upright.map(({ turned }) => turned));
  const original = new Map(upright.map(({ turned, word }) => [turned, word]));
  const grid = { left: leftEdge(lines), columnWidth: gridWidth(lines) };
  let previousBottom: number | null = null;
  return lines.map((pieces, index) => {
    const top = Math.min(...pieces.map((piece) => piece.y0));
    const bottom = Math.max(...pieces.map((piece) => piece.y1));
    const gapAbove = previousBottom !== null && top - previousBottom > 0.7 * (bottom - top);
    previousBottom = bottom;
    const placed = placeOnGrid(pieces, grid);
    return {
      id: `${page.page}:${index + 1}`,
      page: page.page,
      text: placed.text,
      words: placed.words.map(({ piece, start, end }) => ({
        word: pageWord(piece, original),
        start,
        end,
      })),
      gapAbove,
    };
  });
}

function pageWord(piece: Piece, original: ReadonlyMap<Word, Word>): Word {
  const words = piece.parts.map((part) => original.get(part) ?? part);
  return {
    text: piece.text,
    x0: Math.min(...words.map((word) => word.x0)),
    y0: Math.min(...words.map((word) => word.y0)),
    x1: Math.max(...words.map((word) => word.x1)),
    y1: Math.max(...words.map((word) => word.y1)),
  };
}

/** Words closer than this part of their height belong to one phrase and get a single space. */
const PHRASE_GAP = 0.65;
/** Where letters stand apart, words do so all the more. */
const LETTER_SPACED_GAP = 2;

/** Puts phrases at the column of their left edge, never closer than two spaces to the phrase before. */
function placeOnGrid(pieces: readonly Piece[], grid: { left: number; columnWidth: number }) {
  let text = '';
  const words: { piece: Piece; start: number; end: number }[] = [];
  let previous: Piece | null = null;
  for (const piece of pieces) {
    const sameBox: boolean =
      previous !== null &&
      piece.x0 - previous.x1 < phraseGap(previous, piece) * Math.max(lineHeight(piece), lineHeight(previous));
    const column = Math.min(MAX_COLUMNS, Math.max(0, Math.round((piece.x0 - grid.left) / grid.columnWidth)));
    const start: number = sameBox ? text.length + 1 : Math.max(column, text === '' ? 0 : text.length + 2);
    text = text.padEnd(start) + piece.text;
    words.push({ piece, start, end: text.length });
    previous = piece;
  }
  return { text, words };
}

function phraseGap(left: Piece, right: Piece): number {
  return left.parts.length > 1 && right.parts.length > 1 ? LETTER_SPACED_GAP : PHRASE_GAP;
}

/** Keeps lines of odd pages (a plotter sheet, coordinates out of hand) at a sane length. */
const MAX_COLUMNS = 400;

function lineHeight(word: Word): number {
  return Math.max(1, word.y1 - word.y0);
}

/** The margin says nothing and costs tokens. */
function leftEdge(lines: readonly (readonly Piece[])[]): number {
  return lines.flat().reduce((left, piece) => Math.min(left, piece.x0), Number.POSITIVE_INFINITY);
}

/**
 * Width in points of one column: the first quartile of the characters' widths, so that the small print of tables, where
 * columns matter most, rarely runs over.
 */
function gridWidth(lines: readonly (readonly Piece[])[]): number {
  const widths = lines
    .flat()
    .filter((piece) => piece.text.length >= 2)
    .map((piece) => ({ width: (piece.x1 - piece.x0) / piece.text.length, weight: piece.text.length }))
    .sort((a, b) => a.width - b.width);
  const total = widths.reduce((sum, { weight }) => sum + weight, 0);
  let seen = 0;
  for (const { width, weight } of widths) {
    seen += weight;
    if (seen >= total / 4) return Math.min(20, Math.max(2, width));
  }
  return 5;
}
