import type { PageText, Word } from './reader/page';

/** Part of a line after letter-spaced words were joined; `parts` are the words of the page it was made from. */
export interface Piece extends Word {
  readonly parts: readonly Word[];
}

/** Each word with its box turned so that the page's main text runs level from left to right. */
export function turnUpright(page: PageText): { turned: Word; word: Word }[] {
  return page.words.map((word) => {
    const box = turnBox(word, page);
    const sink = page.skew * (box.x0 + box.x1) * 0.5;
    return { turned: { text: word.text, ...box, y0: box.y0 - sink, y1: box.y1 - sink }, word };
  });
}

function turnBox({ x0, y0, x1, y1 }: Word, { width, height, textAngle }: PageText) {
  if (textAngle === 90) return { x0: y0, x1: y1, y0: width - x1, y1: width - x0 };
  if (textAngle === 180) return { x0: width - x1, x1: width - x0, y0: height - y1, y1: height - y0 };
  if (textAngle === 270) return { x0: height - y1, x1: height - y0, y0: x0, y1: x1 };
  return { x0, y0, x1, y1 };
}

/**
 * Words grouped into lines from top to bottom, each from left to right; letter-spaced words are joined. Words that run
 * sideways (stamps, margins) come last, as lines of their own.
 */
export function groupIntoLines(words: readonly Word[]): Piece[][] {
  const level = words.filter((word) => !isSideways(word));
  const lines: Word[][] = [];
  for (const word of [...level].sort((a, b) => middle(a) - middle(b))) {
    const line = nearestLine(lines, word);
    if (line) line.push(word);
    else lines.push([word]);
  }
  const ordered = lines
    .map((line) => line.sort((a, b) => a.x0 - b.x0))
    .sort((a, b) => meanMiddle(a) - meanMiddle(b));
  return [...ordered, ...sidewaysLines(words.filter(isSideways))].map(joinLetterSpaced);
}

/** How many of the lines before are looked at for a word; words come in the order of their middle. */
const LOOK_BACK = 6;

function nearestLine(lines: readonly Word[][], word: Word): Word[] | null {
  let best: Word[] | null = null;
  let bestOverlap = 0.5;
  for (const line of lines.slice(-LOOK_BACK)) {
    // The neighbour counts, not the whole line: a scan may be slightly askew.
    const neighbour = line.reduce((near, other) =>
      distance(other, word) < distance(near, word) ? other : near,
    );
    const overlap = verticalOverlap(neighbour, word);
    // Printed over one another on one baseline is one line; half a line lower it is the next one.
    const collides = overlap < 0.8 && line.some((other) => horizontalOverlap(other, word) > 0.6);
    if (overlap > bestOverlap && !collides) {
      best = line;
      bestOverlap = overlap;
    }
  }
  return best;
}

function verticalOverlap(a: Word, b: Word): number {
  const shared = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return shared / Math.max(0.1, Math.min(a.y1 - a.y0, b.y1 - b.y0));
}

function horizontalOverlap(a: Word, b: Word): number {
  const shared = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  return shared / Math.max(0.1, Math.min(a.x1 - a.x0, b.x1 - b.x0));
}

function distance(a: Word, b: Word): number {
  return Math.max(0, Math.max(a.x0, b.x0) - Math.min(a.x1, b.x1));
}

function middle(word: Word): number {
  return (word.y0 + word.y1) / 2;
}

function meanMiddle(line: readonly Word[]): number {
  return line.reduce((sum, word) => sum + middle(word), 0) / line.length;
}

function isSideways(word: Word): boolean {
  return word.text.length >= 3 && word.y1 - word.y0 > 1.5 * (word.x1 - word.x0);
}

/** Sideways words that share a column, read from bottom to top, which is how margins are mostly printed. */
function sidewaysLines(words: readonly Word[]): Word[][] {
  const columns = new Map<number, Word[]>();
  for (const word of words) {
    const key = Math.round((word.x0 + word.x1) / 12);
    columns.set(key, [...(columns.get(key) ?? []), word]);
  }
  return [...columns.values()].map((column) => column.sort((a, b) => b.y1 - a.y1));
}

/** Joins runs of at least four single characters that stand closer than a word space: "R e c h n u n g". */
function joinLetterSpaced(line: readonly Word[]): Piece[] {
  const pieces: Piece[] = [];
  for (let index = 0; index < line.length; ) {
    const run = letterRun(line, index);
    if (run.length >= 4) {
      pieces.push(...splitAtWideGaps(run).map(join));
      index += run.length;
    } else {
      pieces.push(...line.slice(index, index + 1).map((word) => join([word])));
      index += 1;
    }
  }
  return pieces;
}

function letterRun(line: readonly Word[], from: number): Word[] {
  const run: Word[] = [];
  for (const word of line.slice(from)) {
    const previous = run.at(-1);
    if ([...word.text].length !== 1 || !/[\p{L}\p{N}.,:&/-]/u.test(word.text)) break;
    if (previous && word.x0 - previous.x1 > 1.5 * (word.y1 - word.y0)) break;
    run.push(word);
  }
  // A row of numbers in narrow columns is no word.
  return run.filter((word) => /\p{L}/u.test(word.text)).length * 2 >= run.length ? run : run.slice(0, 1);
}

/** Between letter-spaced words the gap is clearly wider than between their letters. */
function splitAtWideGaps(run: readonly Word[]): Word[][] {
  const gaps = run.slice(1).map((word, index) => word.x0 - (run[index]?.x1 ?? word.x0));
  const typical = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  const groups: Word[][] = [];
  for (const [index, word] of run.entries()) {
    const gap = index === 0 ? 0 : (gaps[index - 1] ?? 0);
    if (index === 0 || gap > typical * 1.8 + 0.5) groups.push([word]);
    else groups.at(-1)?.push(word);
  }
  return groups;
}

function join(words: readonly Word[]): Piece {
  return {
    text: words.map((word) => word.text).join(''),
    x0: Math.min(...words.map((word) => word.x0)),
    y0: Math.min(...words.map((word) => word.y0)),
    x1: Math.max(...words.map((word) => word.x1)),
    y1: Math.max(...words.map((word) => word.y1)),
    parts: words,
  };
}
