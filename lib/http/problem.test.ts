import { expect, test } from 'vitest';
import { problemFor } from './problem';

test.each(['ENOSPC', 'EDQUOT'])('a full disk (%s) is told in words, not as a defect', async (code) => {
  const problem = problemFor(Object.assign(new Error('write failed'), { code }), 'request-1');
  expect(problem?.status).toBe(503);
  expect(await problem?.text()).toMatch(/disk .* is full/);
});
