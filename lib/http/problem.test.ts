import { expect, test } from 'vitest';
import { WorkspaceError } from '@/lib/databricks/workspace-error';
import { loggedProblem, problemFor } from './problem';

test.each(['ENOSPC', 'EDQUOT'])('a full disk (%s) is told in words, not as a defect', async (code) => {
  const problem = problemFor(Object.assign(new Error('write failed'), { code }), 'request-1');
  expect(problem?.status).toBe(503);
  expect(await problem?.text()).toMatch(/disk .* is full/);
});

test('a workspace that refuses is logged and named to whoever asked, one that is away asks for patience', async () => {
  const answerTo = async (retryable: boolean) => {
    const error = new WorkspaceError('Grant READ VOLUME.', { status: 403, retryable });
    expect(problemFor(error, 'request-1')).toBeNull();
    const { status, detail } = await loggedProblem(error, 'request-1').json();
    return [status, detail];
  };
  expect(await answerTo(false)).toEqual([503, 'Grant READ VOLUME.']);
  expect(await answerTo(true)).toEqual([503, expect.stringMatching(/does not answer just now.+request-1/)]);
  const defect = await loggedProblem(new Error('a secret'), 'request-1').text();
  expect(defect).not.toContain('a secret');
});
