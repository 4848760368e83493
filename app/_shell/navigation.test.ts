import { expect, test } from 'vitest';
import { originOf } from './navigation';

test('a task opened from its extraction stays among the extractions, any other page is where it is', () => {
  const [extraction, task] = ['/extractions/1', '/tasks/2'];
  expect(originOf(task, extraction)).toBe(extraction);
  expect(originOf('/tasks/3', originOf(task, extraction))).toBe(extraction);
  expect(originOf(task, '/tasks')).toBe(task);
  expect(originOf('/tasks', extraction)).toBe('/tasks');
  expect(originOf('/agents', extraction)).toBe('/agents');
});
