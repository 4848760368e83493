import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { formWords } from './form-values';
import type { PageText, Word } from './page';
import { type DirectedWord, wordsOfRun } from './words';

/** Words beyond this on one page are left out: no printed page has them, a page made to exhaust the reader might. */
const MAX_WORDS_PER_PAGE = 50_000;

/** The text layer of one page. A page without any has no words. */
export async function pageText(page: PDFPageProxy): Promise<PageText> {
  const viewport = page.getViewport({ scale: 1 });
  const words: DirectedWord[] = [];
  let mayTouch = false;
  const reader = page.streamTextContent({ disableNormalization: false }).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || words.length > MAX_WORDS_PER_PAGE) break;
    for (const item of value.items) {
      if (!('str' in item) || item.str === '') continue;
      const style = value.styles[item.fontName];
      const { ascent, descent } = extents(style?.ascent, style?.descent);
      const run = {
        str: item.str,
        transform: item.transform as number[],
        width: item.width,
        ascent,
        descent,
      };
      const found = wordsOfRun(run, viewport.transform as number[]);
      const [first, ...others] = found;
      const last = words.at(-1);
      if (first && last && mayTouch && !/^\s/.test(item.str) && touches(last, first)) {
        words.splice(-1, 1, glue(last, first), ...others);
      } else words.push(...found);
      mayTouch = !/\s$/.test(item.str);
    }
  }
  words.push(...(await formWords(page, viewport)));
  const visible = withoutDoubles(words.filter((word) => isSeen(word, viewport.width, viewport.height)));
  return {
    page: page.pageNumber,
    width: viewport.width,
    height: viewport.height,
    source: 'text',
    confidence: 1,
    textAngle: mainAngle(visible),
    skew: 0,
    words: visible.map(({ text, x0, y0, x1, y1 }) => ({ text, x0, y0, x1, y1 })),
  };
}

/** Kerning splits a word into several runs; they end and begin at the same point. */
function touches(left: DirectedWord, right: DirectedWord): boolean {
  const gap = (right.x0 - left.x1) / Math.max(1, left.y1 - left.y0);
  const sameLine = Math.abs(right.y1 - left.y1) < 0.2 * (left.y1 - left.y0);
  return left.angle === 0 && right.angle === 0 && sameLine && gap > -0.1 && gap < 0.08;
}

function glue(left: DirectedWord, right: DirectedWord): DirectedWord {
  return {
    text: left.text + right.text,
    x0: left.x0,
    y0: Math.min(left.y0, right.y0),
    x1: right.x1,
    y1: Math.max(left.y1, right.y1),
    angle: left.angle,
  };
}

/** Parts of the font size above and below the baseline; fonts often lie about theirs. */
function extents(
  ascent: number | undefined,
  descent: number | undefined,
): { ascent: number; descent: number } {
  return {
    ascent: ascent !== undefined && ascent > 0.5 && ascent < 1.2 ? ascent : 0.8,
    descent: descent !== undefined && descent < -0.05 && descent > -0.6 ? descent : -0.2,
  };
}

/** Smaller print is a trace of dirt or text that is hidden from people, not from machines. */
const MIN_HEIGHT = 1;

/** Text beside the crop box, or too small to see, is not read by anyone who reads the page. */
function isSeen(word: Word, width: number, height: number): boolean {
  const x = (word.x0 + word.x1) / 2;
  const y = (word.y0 + word.y1) / 2;
  const size = Math.max(word.x1 - word.x0, word.y1 - word.y0);
  return Number.isFinite(size) && size >= MIN_HEIGHT && x >= 0 && y >= 0 && x <= width && y <= height;
}

/** Bold is sometimes made by printing the same word twice, a fraction of a point apart. */
function withoutDoubles(words: readonly DirectedWord[]): DirectedWord[] {
  const seen = new Map<string, DirectedWord[]>();
  return words.filter((word) => {
    const same = seen.get(word.text) ?? [];
    if (same.some((other) => Math.abs(other.x0 - word.x0) < 1.5 && Math.abs(other.y0 - word.y0) < 1.5))
      return false;
    seen.set(word.text, [...same.slice(-20), word]);
    return true;
  });
}

function mainAngle(words: readonly DirectedWord[]): 0 | 90 | 180 | 270 {
  const characters = new Map<DirectedWord['angle'], number>();
  for (const word of words) characters.set(word.angle, (characters.get(word.angle) ?? 0) + word.text.length);
  const [top] = [...characters].sort((a, b) => b[1] - a[1]);
  return top?.[0] ?? 0;
}
