import { expect, test } from 'vitest';
import { meaningOfEnd, TERMINATION_CODES } from './termination-codes';

const end = (code: string, type = 'CLIENT_ERROR') => meaningOfEnd({ code, type, message: '' });

test('only what somebody has to mend in the workspace is for good', () => {
  const forGood = Object.entries(TERMINATION_CODES).filter(([, meaning]) => !meaning.retryable);
  expect(forGood.map(([code]) => code).sort()).toEqual([
    'BREAKING_CHANGE',
    'BUDGET_POLICY_LIMIT_EXCEEDED',
    'DISABLED',
    'FEATURE_DISABLED',
    'INVALID_CLUSTER_REQUEST',
    'INVALID_RUN_CONFIGURATION',
    'RESOURCE_NOT_FOUND',
    'UNAUTHORIZED_ERROR',
  ]);
  for (const [, { words }] of forGood) expect(words).toMatch(/\. [A-Z].+\.$/);
});

test('a code of tomorrow goes by its type, and a type of tomorrow is tried again', () => {
  expect(end('SOMETHING_NEW', 'CLIENT_ERROR').retryable).toBe(false);
  expect(end('SOMETHING_NEW', 'INTERNAL_ERROR').retryable).toBe(true);
  expect(end('SOMETHING_NEW', 'CLOUD_FAILURE').retryable).toBe(true);
  expect(end('SOMETHING_NEW', 'SUCCESS')).toMatchObject({
    retryable: true,
    words: 'The run ended without an answer.',
  });
  expect(end('SOMETHING_NEW', 'ANOTHER_TYPE')).toMatchObject({ code: 'run_lost', retryable: true });
  expect(end('toString', 'constructor')).toMatchObject({ code: 'run_lost', retryable: true });
  expect(meaningOfEnd(null)).toMatchObject({ code: 'run_lost', retryable: true });
});
