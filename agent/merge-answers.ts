import type { Warning } from '@/lib/contract/result';
import type { AnswerField, AnswerItem } from './prompt';

/** From this confidence on an answer is taken and later parts of the document are not asked to better it. */
const CONFIDENT = 0.5;

/**
 * One answer per field out of the answers for successive parts of a document: of single values the first confident
 * one, else the likeliest; lists are joined in order.
 */
export function mergeAnswers(parts: readonly (readonly AnswerField[])[]): AnswerField[] {
  const [first = []] = parts;
  return first.map(({ name }) => {
    const answers = parts.flatMap((part) => part.filter((field) => field.name === name));
    const shown = answers.filter((answer) => answer.value !== null);
    if (shown.some((answer) => answer.items !== null)) return joinLists(name, shown);
    const best = [...shown].sort((a, b) => b.confidence - a.confidence)[0];
    const chosen = shown.find((answer) => answer.confidence >= CONFIDENT) ?? best ?? answers[0];
    return chosen ?? { name, value: null, confidence: 0, line: null, quote: null, items: null };
  });
}

function joinLists(name: string, answers: readonly AnswerField[]): AnswerField {
  const items = withoutRepeatedNames(answers.flatMap((answer) => answer.items ?? []));
  const weight = answers.reduce((sum, answer) => sum + (answer.items?.length ?? 0), 0);
  const rated = answers.reduce((sum, answer) => sum + answer.confidence * (answer.items?.length ?? 0), 0);
  return {
    name,
    value: items.map((entry) => entry.item),
    confidence: weight === 0 ? (answers[0]?.confidence ?? 0) : rated / weight,
    line: null,
    quote: null,
    items,
  };
}

/** A party is named on many pages and is one party; two equal positions of an invoice are two. */
function withoutRepeatedNames(items: readonly AnswerItem[]): AnswerItem[] {
  const seen = new Set<string>();
  return items.filter(({ item }) => {
    if (typeof item !== 'string') return true;
    const key = item
      .toLowerCase()
      .replace(/[\s.,]+/g, ' ')
      .trim();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** What a result can hold of one list (the contract's ceiling for places). */
const MAX_ITEMS = 10_000;

/** Lists cut to what a result can hold, and a warning that says so. */
export function limitLists(answers: readonly AnswerField[]): {
  answers: AnswerField[];
  warning: Warning | null;
} {
  const long = answers.filter(({ items }) => items !== null && items.length > MAX_ITEMS);
  const cut = answers.map((answer) => {
    if (!long.includes(answer)) return answer;
    const items = answer.items?.slice(0, MAX_ITEMS) ?? null;
    return { ...answer, items, value: items?.map((entry) => entry.item) ?? null };
  });
  if (long.length === 0) return { answers: cut, warning: null };
  const what = long.map(({ name, items }) => `${name} (${items?.length})`).join(', ');
  return {
    answers: cut,
    warning: { code: 'list_cut', message: `Only the first ${MAX_ITEMS} elements are given of ${what}.` },
  };
}
