import { expect, test } from 'vitest';
import { missingRole, roleSeen } from './missing-role';

test('the role that a refusal saw can be read from its words, and from no others', () => {
  expect(roleSeen(missingRole(['operator', 'admin'], 'auditor'))).toBe('auditor');
  expect(roleSeen('The request came from another site.')).toBeNull();
});
