import type { Box } from '@/lib/contract/result';
import type { LayoutLine } from './layout';
import { printedForms } from './printed-forms';
import type { Word } from './reader/page';

/** Where a value stands. `exact` is false when only the line is known. */
export interface Location {
  readonly page: number;
  readonly box: Box;
  readonly exact: boolean;
}

/** The lines of a document by id, and in order. */
export class LineIndex {
  private readonly byId: ReadonlyMap<string, number>;

  constructor(readonly lines: readonly LayoutLine[]) {
    this.byId = new Map(lines.map((line, index) => [line.id, index]));
  }

  /** The index of a line; models like to give the bar or a range with the id. */
  find(id: string | null): number | null {
    const plain = id === null ? null : /\d+:\d+/.exec(id)?.[0];
    return plain === null || plain === undefined ? null : (this.byId.get(plain) ?? null);
  }
}

/** How far around the line that the model named its quote is looked for: line ids are easily off by one or two. */
const NEARBY = 3;

/**
 * Finds the words that show a value: the quote (or the value itself) in the line that the model named, near it, then
 * anywhere. Null when it stands nowhere: the model may have made it up.
 */
export function locate(
  index: LineIndex,
  answer: { value: unknown; line: string | null; quote: string | null },
): Location | null {
  const named = index.find(answer.line);
  const targets = [answer.quote, ...printedForms(answer.value)]
    .filter((text): text is string => text !== null)
    .map(compact)
    .filter((text) => text !== '');
  for (const target of targets) {
    for (const at of searchOrder(index, named, target.length >= MIN_ANYWHERE)) {
      const words = wordsShowing(index, at, target);
      const page = index.lines[at]?.page;
      if (words && page !== undefined) return place(page, narrowed(words, answer.value), true);
    }
  }
  return named === null ? null : wholeLine(index.lines[named], false);
}

/** Of a quote such as "Total due 529,87" the words that show the value itself, where it can be told. */
function narrowed(words: readonly Word[], value: unknown): readonly Word[] {
  for (const form of printedForms(value)) {
    const own = wordsIn(words, compact(form));
    if (own) return own;
  }
  return words;
}

/** The whole line that an element of a list stands in. */
export function locateLine(index: LineIndex, id: string | null): Location | null {
  const at = index.find(id);
  return at === null ? null : wholeLine(index.lines[at], true);
}

/** A shorter text, such as "7", stands anywhere by chance. */
const MIN_ANYWHERE = 4;

function* searchOrder(index: LineIndex, named: number | null, anywhere: boolean): Generator<number> {
  if (named !== null) {
    yield named;
    for (let step = 1; step <= NEARBY; step++) {
      yield named - step;
      yield named + step;
    }
  }
  if (anywhere) yield* index.lines.keys();
}

/** The words of a line (and the next one, for text that wraps) whose letters hold the target's. */
function wordsShowing(index: LineIndex, at: number, target: string): Word[] | null {
  const line = index.lines[at];
  if (!line) return null;
  const own = line.words.map((placed) => placed.word);
  const found = wordsIn(own, target);
  if (found || target.length < 12) return found;
  const next = index.lines[at + 1];
  if (!next || next.page !== line.page) return null;
  return wordsIn([...own, ...next.words.map((placed) => placed.word)], target);
}

function wordsIn(words: readonly Word[], target: string): Word[] | null {
  const owners: number[] = [];
  let text = '';
  for (const [index, word] of words.entries()) {
    const letters = compact(word.text);
    text += letters;
    for (let count = 0; count < letters.length; count++) owners.push(index);
  }
  for (let at = text.indexOf(target); at !== -1; at = text.indexOf(target, at + 1)) {
    const first = owners[at] ?? 0;
    const last = owners[at + target.length - 1] ?? first;
    if (!isFigure(target) || !cutsFigure(text, owners, at, target.length))
      return words.slice(first, last + 1);
  }
  return null;
}

function isFigure(text: string): boolean {
  return /^[\d.,'’()-]+$/.test(text);
}

/** "100,00" is not shown by "1.100,00": a figure begins and ends where its word has no more of it. */
function cutsFigure(text: string, owners: readonly number[], at: number, length: number): boolean {
  const end = at + length;
  const goesOnBefore = owners[at - 1] === owners[at] && /[\d.,'’]/.test(text[at - 1] ?? '');
  const goesOnAfter = owners[end] === owners[end - 1] && /^[.,'’]?\d/.test(text.slice(end, end + 2));
  return goesOnBefore || goesOnAfter;
}

/** Letters and digits without spaces or case: quotes differ from the page in these. */
function compact(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, '').toLowerCase();
}

function place(page: number, words: readonly Word[], exact: boolean): Location {
  // Far outside of any sheet the contract ends.
  const rounded = (value: number) => Math.max(-99_999, Math.min(99_999, Math.round(value * 100) / 100));
  const box: Box = [
    rounded(Math.min(...words.map((word) => word.x0))),
    rounded(Math.min(...words.map((word) => word.y0))),
    rounded(Math.max(...words.map((word) => word.x1))),
    rounded(Math.max(...words.map((word) => word.y1))),
  ];
  return { page, box, exact };
}

function wholeLine(line: LayoutLine | undefined, exact: boolean): Location | null {
  if (!line || line.words.length === 0) return null;
  return place(
    line.page,
    line.words.map((placed) => placed.word),
    exact,
  );
}
