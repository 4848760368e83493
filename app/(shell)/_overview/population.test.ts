import { expect, test } from 'vitest';
import { costPopulation, populations, unpricedWords } from './population';

const counts = { enqueued: 40, processing: 2, completed: 193, failed: 30, cancelled: 4 };
const confidence = { mean: 0.9, median: 0.9, p10: 0.7, count: 190 };

test('every number names the tasks that it is over, and how many it leaves out', () => {
  expect(costPopulation({ pricedTasks: 202, counts })).toBe(
    '202 tasks with a cost; 67 without one are left out',
  );
  expect(costPopulation({ pricedTasks: 268, counts })).toBe(
    '268 tasks with a cost; 1 without one is left out',
  );
  expect(costPopulation({ pricedTasks: 269, counts })).toBe('269 tasks');
  expect(populations({ pricedTasks: 202, counts, confidence })).toBe(
    'Of 269 tasks chosen: response is over 193 completed, spend over 202 with a cost, confidence over 190 that have one.',
  );
});

test('one attempt is one', () => {
  expect(unpricedWords(1)).toBe('without 1 attempt of unknown price');
  expect(unpricedWords(1200)).toBe('without 1,200 attempts of unknown price');
});
