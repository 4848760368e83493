import { expect, test } from 'vitest';
import { fieldLabel } from './field-label';
import { jsonText } from './shown-values';

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'a field called %s has a name like any other',
  (name) => {
    expect(typeof fieldLabel(name)).toBe('string');
  },
);

test('a huge value is cut, not drawn', () => {
  expect(jsonText('x'.repeat(1_000_000)).length).toBeLessThan(3_000);
});
