import { expect, test } from 'vitest';
import { whyNoActual } from './why-no-actual';

const at = '2026-01-01T00:00:00.000Z';

test.each([
  ['No attempt has ended yet', []],
  ['No attempt has ended yet', [{ dispatchedAt: at, finishedAt: null }]],
  ['No attempt came to a run', [{ dispatchedAt: null, finishedAt: at }]],
  [
    'No attempt came to a run',
    [
      { dispatchedAt: null, finishedAt: at },
      { dispatchedAt: null, finishedAt: at },
      { dispatchedAt: at, finishedAt: null },
    ],
  ],
  [
    'The last run has not reported it',
    [
      { dispatchedAt: at, finishedAt: at },
      { dispatchedAt: null, finishedAt: at },
    ],
  ],
])('%s', (words, attempts) => {
  expect(whyNoActual(attempts)).toBe(words);
});
