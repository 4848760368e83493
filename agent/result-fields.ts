import type { z } from 'zod';
import type { Place, ResultField } from '@/lib/contract/result';
import { type LineIndex, type Location, locate, locateLine } from './locate';
import type { AnswerField, AnswerItem } from './prompt';

/** A value that cannot be shown on the page is doubted by half. */
const NOT_FOUND = 0.5;
/** Where only the line is known (a currency told by its sign, a word that is read into it), by a little. */
const ONLY_LINE = 0.85;

/**
 * Answers as fields of a result, each with the place where it stands.
 * @param trust how well each page was read, 0–1
 */
export function resultFields(
  answers: readonly AnswerField[],
  index: LineIndex,
  trust: (page: number) => number,
): ResultField[] {
  return answers.map((answer) => {
    if (answer.value === null)
      return { name: answer.name, value: null, confidence: null, page: null, box: null };
    return answer.items === null
      ? singleField(answer, index, trust)
      : listField(answer, answer.items, index, trust);
  });
}

function singleField(answer: AnswerField, index: LineIndex, trust: (page: number) => number): ResultField {
  const location = locate(index, answer);
  return {
    name: answer.name,
    value: answer.value,
    confidence: rate(answer.confidence, location, trust),
    page: location?.page ?? null,
    box: location?.box ?? null,
  };
}

function listField(
  answer: AnswerField,
  items: readonly AnswerItem[],
  index: LineIndex,
  trust: (page: number) => number,
): ResultField {
  const locations = items.map((entry) =>
    typeof entry.item === 'string'
      ? locate(index, { value: entry.item, line: entry.line, quote: entry.quote })
      : (locateLine(index, entry.line) ?? locate(index, { ...entry, value: null })),
  );
  const ratings = locations.map((location) => rate(answer.confidence, location, trust));
  const [first] = locations.filter((location) => location !== null);
  return {
    name: answer.name,
    value: answer.value,
    confidence:
      ratings.length === 0
        ? round(answer.confidence)
        : round(ratings.reduce((sum, r) => sum + r, 0) / ratings.length),
    page: first?.page ?? null,
    box: first?.box ?? null,
    places: locations.map((location): z.infer<typeof Place> | null =>
      location === null ? null : { page: location.page, box: location.box },
    ),
  };
}

function rate(confidence: number, location: Location | null, trust: (page: number) => number): number {
  if (location === null) return round(confidence * NOT_FOUND);
  return round(confidence * trust(location.page) * (location.exact ? 1 : ONLY_LINE));
}

/** The mean over the values that were found; null when there are none. */
export function overallConfidence(fields: readonly ResultField[]): number | null {
  const ratings = fields.flatMap((field) => (field.confidence === null ? [] : [field.confidence]));
  return ratings.length === 0
    ? null
    : round(ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
