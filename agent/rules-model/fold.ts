/** Text made comparable (lower case, no accents, single spaces), with the way back to the original. */
export interface Folded {
  readonly text: string;
  /** `at[i]` is the index in the original of the folded character i; one longer than `text`. */
  readonly at: readonly number[];
}

const LIGATURES: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', ð: 'd', þ: 'th' };
const QUOTES = /[\u2018\u2019\u201a\u02bc\u00b4`]/;
const DASHES = /[\u2010-\u2015\u2212]/;
const INVISIBLE = /[\u200b-\u200f\u2060\ufeff\u00ad\u202a-\u202e]/;

function foldCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 128) return character.toLowerCase();
  if (INVISIBLE.test(character)) return '';
  if (QUOTES.test(character)) return "'";
  if (DASHES.test(character)) return '-';
  // º and ª are kept apart from ° only by their shape: "N°", "Nº" and "n o" mean the same label.
  if (character === '°' || character === 'º') return 'o';
  const lower = character.toLowerCase();
  return LIGATURES[lower] ?? lower.normalize('NFKD').replace(/\p{M}/gu, '');
}

/** Folds text for comparison with label phrases; linear in its length. */
export function fold(text: string): Folded {
  let folded = '';
  const at: number[] = [];
  let index = 0;
  for (const character of text) {
    const isSpace = /\s/.test(character);
    const out = isSpace ? (folded === '' || folded.endsWith(' ') ? '' : ' ') : foldCharacter(character);
    for (let i = 0; i < out.length; i++) at.push(index);
    folded += out;
    index += character.length;
  }
  at.push(text.length);
  return joinLetterSpaced({ text: folded, at });
}

const LETTER_SPACED = /(?<![^\s])(?:\p{L} ){3,}\p{L}(?![^\s:])/gu;

/** "r e c h n u n g" is one word whose letters were set apart. */
function joinLetterSpaced(folded: Folded): Folded {
  if (!/(?:^| )\p{L} \p{L} \p{L} \p{L}/u.test(folded.text)) return folded;
  let text = '';
  const at: number[] = [];
  let from = 0;
  const keep = (start: number, end: number, dropSpaces: boolean) => {
    for (let i = start; i < end; i++) {
      if (dropSpaces && folded.text[i] === ' ') continue;
      text += folded.text[i];
      at.push(folded.at[i] ?? 0);
    }
  };
  for (const match of folded.text.matchAll(LETTER_SPACED)) {
    keep(from, match.index, false);
    keep(match.index, match.index + match[0].length, true);
    from = match.index + match[0].length;
  }
  keep(from, folded.text.length, false);
  at.push(folded.at[folded.text.length] ?? 0);
  return { text, at };
}

/** The folded text alone. */
export function foldText(text: string): string {
  return fold(text).text.trim();
}
