import type { DateOrder } from './dates';
import { dateOrderEvidence } from './dates';
import { foldText } from './fold';
import type { Language } from './labels/concepts';
import { DICTIONARIES, labelsOf } from './labels/match';
import { type DecimalSign, decimalSignOf } from './numbers';
import type { DocumentText } from './page-text';

/** What holds for the document as a whole. */
export interface Setting {
  readonly language: Language;
  readonly decimalSign: DecimalSign;
  readonly dateOrder: DateOrder;
  /** False where only the language or country spoke for the date order. */
  readonly isDateOrderSure: boolean;
}

const SAMPLE_LINES = 400;

/** The language with most of the frequent words and labels. */
function languageOf(document: DocumentText): Language {
  const score = new Map<Language, number>();
  const add = (language: Language, points: number) =>
    score.set(language, (score.get(language) ?? 0) + points);
  const stopWords = DICTIONARIES.map(({ language, stopWords: words }) => [language, new Set(words)] as const);
  for (const line of document.lines.slice(0, SAMPLE_LINES)) {
    for (const word of foldText(line.text).split(/[^\p{L}]+/u)) {
      for (const [language, words] of stopWords) if (words.has(word)) add(language, 1);
    }
    for (const cell of line.cells) {
      for (const match of labelsOf(cell)) {
        // A label that several languages share says nothing.
        if (match.languages.size === 1) for (const language of match.languages) add(language, 2);
      }
    }
  }
  let best: Language = 'en';
  let most = 0;
  for (const [language, points] of score) {
    if (points > most) {
      best = language;
      most = points;
    }
  }
  return best;
}

const UNITED_STATES =
  /\busd\b|us\$|\$|\b[A-Z]{2} \d{5}(?:-\d{4})?\b|\bsales tax\b|\busa\b|united states|\bzip\b|\bllc\b|\binc\b/gi;
const ELSEWHERE =
  /€|£|\beur\b|\bgbp\b|\bvat\b|\bgst\b|\brm\b|\bmyr\b|\baud\b|\bnzd\b|\bsgd\b|\bsdn\b|\bltd\b|\bplc\b|\babn\b|\binr\b|\bchf\b/gi;

/** Language, decimal sign and date order of a document. */
export function settingOf(document: DocumentText): Setting {
  const texts = document.lines.slice(0, SAMPLE_LINES * 5).map((line) => line.text);
  const language = languageOf(document);
  const evidence = dateOrderEvidence(texts);
  let dateOrder: DateOrder = 'day-first';
  if (evidence) dateOrder = evidence;
  else if (language === 'en') {
    const sample = texts.slice(0, SAMPLE_LINES).join('\n');
    const home = sample.match(UNITED_STATES)?.length ?? 0;
    const abroad = sample.match(ELSEWHERE)?.length ?? 0;
    dateOrder = home > abroad ? 'month-first' : 'day-first';
  }
  let decimalSign = decimalSignOf(texts);
  if (decimalSign === 'unknown') decimalSign = language === 'en' ? 'point' : 'comma';
  return { language, decimalSign, dateOrder, isDateOrderSure: evidence !== null };
}
