import { expect, test } from 'vitest';
import { confidenceLevel } from './confidence-level';

test('M20: a confidence is called what its shown number says', () => {
  expect([1, 0.9, 0.896, 0.894, 0.69, 0.6, 0.596, 0.594, 0].map(confidenceLevel)).toEqual([
    ...['high', 'high', 'high'],
    ...['middling', 'middling', 'middling', 'middling'],
    ...['low', 'low'],
  ]);
});
