import { expect, test } from 'vitest';
import { fieldLabel } from './field-label';
import { asResult, jsonText } from './shown-values';

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'a field called %s has a name like any other',
  (name) => {
    expect(typeof fieldLabel(name)).toBe('string');
  },
);

test.each([['x'], [[1]], [{ fields: [{ name: 5 }], warnings: 7 }], [null]])(
  'what was stored by hand in another shape, %j, is not taken for a result',
  (stored) => {
    expect(asResult(stored)).toBeNull();
  },
);

test('a result gets the defaults that its agent left out', () => {
  expect(asResult({ fields: [{ name: 'title', value: 'A' }] })).toMatchObject({
    warnings: [],
    fields: [{ name: 'title', value: 'A', confidence: null, page: null, box: null }],
  });
});

test('a huge value is cut, not drawn', () => {
  expect(jsonText('x'.repeat(1_000_000)).length).toBeLessThan(3_000);
});
