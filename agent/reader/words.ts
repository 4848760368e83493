import type { Word } from './page';

/** What pdf.js tells of one run of text. */
export interface TextRun {
  readonly str: string;
  /** Text space to page space: `[a, b, c, d, e, f]`. */
  readonly transform: readonly number[];
  /** Length of the run along its direction, in page space. */
  readonly width: number;
  readonly ascent: number;
  readonly descent: number;
}

/** A word with the direction it runs in, degrees clockwise on the displayed page. */
export interface DirectedWord extends Word {
  readonly angle: 0 | 90 | 180 | 270;
}

/** Zero-width characters, soft hyphens, marks of direction, control characters: never part of a value. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

/** Text as it looks: ligatures taken apart, invisible characters gone, every kind of space a plain one. */
export function visibleText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\t\n\v\f\r]/g, ' ')
    .replace(INVISIBLE, '')
    .replace(/\s/g, ' ');
}

/**
 * The words of a run with their boxes in displayed points. pdf.js gives the width of a run, not of its characters, so
 * the run is shared out by typical character widths.
 * @param toDisplay the viewport's transform at scale 1
 */
export function wordsOfRun(run: TextRun, toDisplay: readonly number[]): DirectedWord[] {
  const text = visibleText(run.str);
  const weights = [...text].map(characterWeight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0 || text.trim() === '') return [];
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = run.transform;
  const along = Math.hypot(a, b) || 1;
  const height = Math.hypot(c, d) || along;
  const words: DirectedWord[] = [];
  let offset = 0;
  let start: number | null = null;
  let word = '';
  const flush = (end: number) => {
    if (start === null) return;
    const from = (start / total) * run.width;
    const to = (end / total) * run.width;
    const corners = [from, to].flatMap((distance) =>
      [run.ascent, run.descent].map((rise) =>
        apply(toDisplay, [
          e + (a / along) * distance + (c / height) * rise * height,
          f + (b / along) * distance + (d / height) * rise * height,
        ]),
      ),
    );
    words.push({ text: word, ...bounds(corners), angle: direction([a, b], toDisplay) });
    start = null;
    word = '';
  };
  for (const [index, character] of [...text].entries()) {
    if (character === ' ') flush(offset);
    else {
      start ??= offset;
      word += character;
    }
    offset += weights[index] ?? 0;
  }
  flush(offset);
  return words;
}

function apply(matrix: readonly number[], point: readonly [number, number]): [number, number] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix;
  const [x, y] = point;
  return [a * x + c * y + e, b * x + d * y + f];
}

function bounds(points: readonly (readonly [number, number])[]) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}

function direction(vector: readonly [number, number], toDisplay: readonly number[]): 0 | 90 | 180 | 270 {
  const [a = 1, b = 0, c = 0, d = 1] = toDisplay;
  const x = a * vector[0] + c * vector[1];
  const y = b * vector[0] + d * vector[1];
  const quarter = ((Math.round(Math.atan2(y, x) / (Math.PI / 2)) % 4) + 4) % 4;
  return ([0, 90, 180, 270] as const)[quarter] ?? 0;
}

/** Width of a character in a typical proportional face, in thousandths of its size. */
function characterWeight(character: string): number {
  if (/[ijlItf.,:;'|!()[\]/\\\- ]/.test(character)) return 290;
  if (/[mwMW@%—]/.test(character)) return 850;
  if (/[A-Z&]/.test(character)) return 680;
  if (/[\u1100-\u11FF\u2E80-\uFF60]/.test(character)) return 1000;
  return 540;
}
