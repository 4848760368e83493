import { expect, test } from 'vitest';
import { limitLists, mergeAnswers } from './merge-answers';
import type { AnswerField } from './prompt';

const one = (name: string, value: string | null, confidence: number): AnswerField => ({
  name,
  value,
  confidence,
  line: null,
  quote: null,
  items: null,
});
const list = (name: string, values: unknown[], confidence: number): AnswerField => ({
  ...one(name, null, confidence),
  value: values,
  items: values.map((item) => ({ item, line: null, quote: null })),
});

test('of single values the first confident one counts, else the likeliest', () => {
  const [number, total] = mergeAnswers([
    [one('number', null, 0), one('total', '1', 0.2)],
    [one('number', 'A', 0.6), one('total', '2', 0.4)],
    [one('number', 'B', 0.9), one('total', null, 0)],
  ]);
  expect(number?.value).toBe('A');
  expect(total?.value).toBe('2');
});

test('lists are joined in order; equal positions stay, equal names do not', () => {
  const [items, parties] = mergeAnswers([
    [list('items', [{ amount: '1' }], 1), list('parties', ['Cymbal Inc.'], 1)],
    [list('items', [{ amount: '1' }, { amount: '2' }], 0.4), list('parties', ['CYMBAL INC', 'B'], 1)],
  ]);
  expect(items?.value).toEqual([{ amount: '1' }, { amount: '1' }, { amount: '2' }]);
  expect(items?.confidence).toBeCloseTo(0.6);
  expect(parties?.value).toEqual(['Cymbal Inc.', 'B']);
});

test('a value that no part shows stays null', () => {
  expect(mergeAnswers([[one('due', null, 0)], [one('due', null, 0)]])[0]?.value).toBeNull();
  expect(mergeAnswers([])).toEqual([]);
});

test('a list that no result can hold is cut, and says so', () => {
  const long = list(
    'amounts',
    Array.from({ length: 10_001 }, (_, index) => String(index)),
    1,
  );
  const { answers, warning } = limitLists([one('title', 'x', 1), long]);
  expect(answers[1]?.items).toHaveLength(10_000);
  expect(answers[1]?.value).toHaveLength(10_000);
  expect(warning).toMatchObject({ code: 'list_cut', message: expect.stringContaining('amounts (10001)') });
  expect(limitLists([one('title', 'x', 1)]).warning).toBeNull();
});
