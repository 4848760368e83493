import type { Word } from './page';

/** Fewer tokens than this say nothing about a page's text. */
const MIN_TOKENS = 20;

/**
 * Whether a text layer is garbage though the page may look right: a font without a usable character map gives private
 * characters, replacement characters, or letters that stand for others ("5HFKQXQJ").
 */
export function isGarbled(words: readonly Word[]): boolean {
  const text = words.map((word) => word.text).join(' ');
  const visible = [...text.replace(/\s/g, '')];
  if (visible.length === 0) return false;
  const strange = visible.filter((character) => /[\p{Co}\p{Cn}\p{Cs}\uFFFD]/u.test(character)).length;
  // Symbol fonts leave some on good pages: bullets, ticks, telephone signs.
  if (visible.length >= 10 && strange / visible.length > 0.15) return true;
  return hasFewWords(text);
}

const VOWEL = /[aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýÿ]/i;

/** In languages written in Latin letters nearly every word has a vowel, and digits rarely stand inside words. */
function hasFewWords(text: string): boolean {
  const tokens = text
    .split(/\s+/)
    .filter((token) => /^[\p{Script=Latin}\d]{3,}$/u.test(token) && /\p{L}/u.test(token));
  if (tokens.length < MIN_TOKENS) return false;
  const odd = tokens.filter((token) => !VOWEL.test(token) || /\p{L}\d\p{L}/u.test(token)).length;
  return odd / tokens.length > 0.45;
}
