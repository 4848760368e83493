import { foldText } from '../fold';
import type { Cell, Line } from '../page-text';
import type { ColumnConcept, Concept, LabelDictionary, Language } from './concepts';
import { GERMAN } from './de';
import { ENGLISH } from './en';
import { SPANISH } from './es';
import { FRENCH } from './fr';
import { ITALIAN } from './it';
import { DUTCH } from './nl';

export const DICTIONARIES: readonly LabelDictionary[] = [ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, DUTCH];

/** Words with punctuation between them; `#` and `%` count as words. */
const WORD = /[\p{L}\p{N}]+|[#%@+]/gu;
/** No phrase has more words than this. */
const MAX_WORDS = 8;

interface Entry<C extends string> {
  readonly concepts: Set<C>;
  readonly languages: Set<Language>;
}
type Index<C extends string> = ReadonlyMap<string, Entry<C>>;

function compactOf(phrase: string): string {
  return [...foldText(phrase).matchAll(WORD)].map((match) => match[0]).join('');
}

function buildIndex<C extends string>(
  pick: (dictionary: LabelDictionary) => Partial<Record<C, readonly string[]>>,
): Index<C> {
  const index = new Map<string, Entry<C>>();
  for (const dictionary of DICTIONARIES) {
    for (const [concept, phrases] of Object.entries(pick(dictionary)) as [C, readonly string[]][]) {
      for (const phrase of phrases) {
        const key = compactOf(phrase);
        const entry = index.get(key) ?? { concepts: new Set<C>(), languages: new Set<Language>() };
        entry.concepts.add(concept);
        entry.languages.add(dictionary.language);
        index.set(key, entry);
      }
    }
  }
  return index;
}

const LABELS = buildIndex<Concept>((dictionary) => dictionary.labels);
const COLUMNS = buildIndex<ColumnConcept>((dictionary) => dictionary.columns);

/** A label found in a cell. */
export interface Match<C extends string = Concept> {
  readonly concepts: ReadonlySet<C>;
  readonly languages: ReadonlySet<Language>;
  readonly cell: Cell;
  /** Offsets in the cell's text, end exclusive. */
  readonly from: number;
  readonly to: number;
  /** The cell begins, or ends, with the label (punctuation aside). */
  readonly startsCell: boolean;
  readonly endsCell: boolean;
  /** Number of letters: longer labels say more. */
  readonly weight: number;
}

interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

function wordsOf(cell: Cell): Word[] {
  const { text, at } = cell.folded;
  return [...text.matchAll(WORD)].slice(0, 60).map((match) => ({
    text: match[0],
    from: at[match.index] ?? 0,
    to: (at[match.index + match[0].length - 1] ?? 0) + 1,
  }));
}

/** OCR reads O as 0 and l as 1; a word with letters is tried again with the letters. */
function looksLike(word: string): string {
  return /\d/.test(word) && /\p{L}/u.test(word) ? word.replaceAll('0', 'o').replaceAll('1', 'l') : word;
}

function matchesIn<C extends string>(cell: Cell, index: Index<C>): Match<C>[] {
  const words = wordsOf(cell);
  const found: Match<C>[] = [];
  for (let i = 0; i < words.length; i++) {
    let best: { entry: Entry<C>; last: number; key: string } | null = null;
    let key = '';
    for (let j = i; j < Math.min(words.length, i + MAX_WORDS); j++) {
      key += looksLike(words[j]?.text ?? '');
      if (key.length > 48) break;
      const entry = index.get(key);
      if (entry) best = { entry, last: j, key };
    }
    const first = words[i];
    const last = best ? words[best.last] : undefined;
    if (!best || !first || !last) continue;
    found.push({
      concepts: best.entry.concepts,
      languages: best.entry.languages,
      cell,
      from: first.from,
      to: last.to,
      startsCell: i === 0,
      endsCell: best.last === words.length - 1,
      weight: best.key.length,
    });
    i = best.last;
  }
  return found;
}

const labelCache = new WeakMap<Cell, readonly Match[]>();
const columnCache = new WeakMap<Cell, readonly Match<ColumnConcept>[]>();

/** The labels of a cell, longest first at each place, without overlaps. */
export function labelsOf(cell: Cell): readonly Match[] {
  let matches = labelCache.get(cell);
  if (!matches) {
    matches = matchesIn(cell, LABELS);
    labelCache.set(cell, matches);
  }
  return matches;
}

/** The words of a table's head in a cell. */
export function columnsOf(cell: Cell): readonly Match<ColumnConcept>[] {
  let matches = columnCache.get(cell);
  if (!matches) {
    matches = matchesIn(cell, COLUMNS);
    columnCache.set(cell, matches);
  }
  return matches;
}

/** All labels of one concept, in the order of the page. */
export function findLabels(lines: readonly Line[], concept: Concept): Match[] {
  return lines.flatMap((line) =>
    line.cells.flatMap((cell) => labelsOf(cell).filter((match) => match.concepts.has(concept))),
  );
}

/** True where a cell is nothing but a label. */
export function isLabelOnly(cell: Cell): boolean {
  return labelsOf(cell).some((match) => match.startsCell && match.endsCell);
}
