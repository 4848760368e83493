import { quoteIn, withWords } from './contract-words';
import { type Finding, finding } from './finding';
import type { RunningText } from './running-text';

const PLACE =
  "((?:the )?(?:(?:State|Commonwealth|Province|Republic|Country|Kingdom|Federal Republic|laws?) of )?(?:the )?\\p{Lu}[\\p{L}.'’-]*(?:(?: and| of| de la| de| du)? \\p{Lu}[\\p{L}.'’-]*){0,4})";
const LAW: readonly (readonly [RegExp, number])[] = [
  [
    new RegExp(`\\bgoverned[^.;]{0,80}?\\blaws? (?:in force in |applicable in )?of (?:the )?${PLACE}`, 'giu'),
    0.93,
  ],
  [new RegExp(`\\b(?:under|by|with) (?:the )?(?:substantive )?laws? of (?:the )?${PLACE}`, 'giu'), 0.85],
  [/\bgoverned[^.;]{0,60}?\b(?:by|under) (?:the )?(\p{Lu}[\p{L}]+) law\b/gu, 0.9],
  [/\bgoverning law[\s:.]+(?:the )?(?:laws? of )?(?:the )?(\p{Lu}[\p{L}]+(?: \p{Lu}[\p{L}]+){0,3})/gu, 0.8],
  [/\brecht (?:der|des|von) (\p{Lu}[\p{L}]+(?: \p{Lu}[\p{L}]+)?)/giu, 0.88],
  [
    /\b(deutsches|deutschem|österreichisches|österreichischem|schweizerisches|schweizerischem|schweizer|liechtensteinisches) recht\b/giu,
    0.9,
  ],
  [
    /\bdroit (français|belge|suisse|luxembourgeois|anglais|allemand|québécois|néerlandais|italien|espagnol)/giu,
    0.9,
  ],
  [
    /\b(?:legislación|ley(?:es)?|derecho) (española?|español|mexicana?|argentina?|colombiana?|chilena?|alemana|francesa|inglesa)/giu,
    0.9,
  ],
  [/\b(?:leyes|legislación) (?:de|del) (\p{Lu}[\p{L}]+)/gu, 0.85],
  [
    /\b(?:legge|diritto|legislazione) (italiana|italiano|svizzera|svizzero|francese|tedesca|tedesco|inglese|spagnola)/giu,
    0.9,
  ],
  [/\b(nederlands|belgisch) recht\b/giu, 0.9],
];

const ADJECTIVE =
  /^(?:english|german|french|swiss|austrian|dutch|belgian|italian|spanish|irish|scottish|deutsche[sm]|österreichische[sm]|schweizer(?:ische[sm])?)$/i;

/** The adjective with its noun as they stand in the sentence. */
function lawOf(words: string, adjective: string): string {
  const noun = /(?:law|recht|droit|legislación|ley(?:es)?|derecho|legge|diritto|legislazione)/iu;
  const found = new RegExp(`(?:${noun.source} ${adjective}|${adjective} ${noun.source})`, 'iu').exec(words);
  return found?.[0] ?? adjective;
}

/** The law as printed, such as `New York`, `England and Wales` or `deutsches Recht`. */
export function governingLaw(running: RunningText): Finding<string> | null {
  for (const [pattern, confidence] of LAW) {
    for (const match of running.text.matchAll(withWords(pattern))) {
      const place = (match[1] ?? '')
        .replace(/^(?:the )?(?:State|Commonwealth|Province|Country|laws?) of (?:the )?/i, '')
        .replace(/^the /i, '')
        .replace(/[.,]+$/, '')
        .replace(/\s+(?:Without|The|This|Any|Each|Section|And|Article)$/, '')
        .trim();
      if (place.length < 3) continue;
      // "droit français", "English law": the adjective alone would not be a name.
      const isAdjective = /^\p{Ll}/u.test(place) || ADJECTIVE.test(place);
      const value = isAdjective ? lawOf(match[0], place) : place;
      const at = match.index + match[0].lastIndexOf(match[1] ?? '');
      const words = running.lineAt(at);
      // The name may be broken over two lines; the quote is the part on the first.
      const quote = words ? quoteIn(words.text, value) : value;
      return finding(value, words, quote, confidence);
    }
  }
  return null;
}
