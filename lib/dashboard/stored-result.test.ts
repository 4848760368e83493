import { expect, test } from 'vitest';
import { readResult } from './stored-result';

test.each([['x'], [[1]], [{ fields: [{ name: 5 }], warnings: 7 }], [null]])(
  'what was stored by hand in another shape, %j, is not taken for a result',
  (stored) => {
    expect(readResult(stored).resultShape).not.toBe('fields');
  },
);

test('a result gets the defaults that its agent left out', () => {
  expect(readResult({ fields: [{ name: 'title', value: 'A' }] }).result).toMatchObject({
    warnings: [],
    fields: [{ name: 'title', value: 'A', confidence: null, page: null, box: null }],
  });
});
