import { expect, test } from 'vitest';
import { sameAgainWords } from './bulk-words';

const password = { errorCode: 'password_required', count: 2 };

test('a retry that changes nothing is called that, with its reasons', () => {
  expect(sameAgainWords(9, [password, { errorCode: 'corrupt_pdf', count: 1 }])).toBe(
    'A retry changes nothing for 3 of these 9: Password needed (2), Damaged PDF (1). The document itself is the cause; submit a mended copy instead.',
  );
  expect(sameAgainWords(2, [password])).toContain('for all 2: Password needed (2).');
  expect(sameAgainWords(1, [{ ...password, count: 1 }])).toContain('for this one:');
  expect(sameAgainWords(9, [])).toBeNull();
});
