import { expect, test } from 'vitest';
import { ApiError } from '@/lib/api-client/api-error';
import { missingRole } from '@/lib/contract/missing-role';
import { tellsOfAnotherRole } from './role-change';

test('only a refusal for another role than the page has means that somebody else is signed in', () => {
  const refusal = (words: string, status = 403) => new ApiError(status, 'forbidden', words);
  expect(tellsOfAnotherRole(refusal(missingRole(['operator'], 'auditor')), 'operator')).toBe(true);
  // The page's own role is not enough: said where it was tried, and no reload would help.
  expect(tellsOfAnotherRole(refusal(missingRole(['operator'], 'auditor')), 'auditor')).toBe(false);
  expect(tellsOfAnotherRole(refusal('The request came from another site.'), 'operator')).toBe(false);
  expect(tellsOfAnotherRole(refusal(missingRole(['operator'], 'auditor'), 401), 'operator')).toBe(false);
  expect(tellsOfAnotherRole(new Error('x'), 'operator')).toBe(false);
});
