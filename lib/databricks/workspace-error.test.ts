import { describe, expect, test } from 'vitest';
import { errorOfAnswer, parseRetryAfter, WorkspaceError } from './workspace-error';

const CALL = 'POST /api/2.2/jobs/run-now';
const errorOf = (status: number, text: string, headers: { retryAfter?: string; contentType?: string } = {}) =>
  errorOfAnswer(CALL, { status, text, retryAfter: headers.retryAfter, contentType: headers.contentType });

describe('the bodies that errors come with', () => {
  test.each([
    [
      '{"error_code":"PERMISSION_DENIED","message":"no CAN_MANAGE_RUN"}',
      'PERMISSION_DENIED',
      'no CAN_MANAGE_RUN',
    ],
    ['{"error_code":403,"message":"as a number"}', '403', 'as a number'],
    ['{"error":"only a text"}', null, 'only a text'],
    [
      '{"error":"invalid_client","error_description":"Client authentication failed"}',
      'invalid_client',
      'Client authentication failed',
    ],
    ['{"errorCode":"invalid_client","errorSummary":"not known"}', 'invalid_client', 'not known'],
    ['{"detail":"in words","status":"404","scimType":"noTarget"}', 'noTarget', 'in words'],
    ['"RESOURCE_DOES_NOT_EXIST: Job 1 does not exist."', 'RESOURCE_DOES_NOT_EXIST', 'Job 1 does not exist.'],
    ['RESOURCE_DOES_NOT_EXIST: Job 1 does not exist.', 'RESOURCE_DOES_NOT_EXIST', 'Job 1 does not exist.'],
    ['<html><head><title>Bad  Gateway</title></head><body>…</body></html>', null, 'Bad Gateway'],
    ['<html><body><pre>a\n <b>reason</b></pre></body></html>', null, 'a reason'],
    ['{"half": ', null, '{"half":'],
    ['[]', null, '[]'],
    ['null', null, 'null'],
    ['', null, 'without saying why'],
  ])('%s', (body, code, words) => {
    const error = errorOf(403, body);
    expect(error).toMatchObject({ status: 403, errorCode: code, retryable: false });
    expect(error.message).toContain(CALL);
    expect(error.message).toContain(words);
  });

  test('a detail without metadata does not hide the code, and a delay among the details counts', () => {
    const body = {
      error_code: 'RESOURCE_EXHAUSTED',
      message: 'too many',
      details: [
        { '@type': 'type.googleapis.com/google.rpc.RequestInfo', request_id: 'r' },
        { retryDelay: '3s' },
        null,
      ],
    };
    const error = errorOf(429, JSON.stringify(body));
    expect(error).toMatchObject({ errorCode: 'RESOURCE_EXHAUSTED', retryable: true, retryAfterSeconds: 3 });
  });
});

test('what is worth another try is told by the status, and by words that pass for one', () => {
  const retryable = (status: number, text = '') => errorOf(status, text).retryable;
  for (const status of [408, 429, 500, 502, 503, 504]) expect(retryable(status), String(status)).toBe(true);
  for (const status of [302, 400, 401, 403, 404, 409, 413])
    expect(retryable(status), String(status)).toBe(false);
  expect(retryable(400, '{"message":"RPC token bucket limit has been exceeded"}')).toBe(true);
});

test('Retry-After is read as seconds and as a date', () => {
  expect(parseRetryAfter('17')).toBe(17);
  expect(parseRetryAfter('Mon, 30 Nov 2026 12:00:30 GMT', Date.parse('2026-11-30T12:00:00Z'))).toBe(30);
  expect(parseRetryAfter('Mon, 30 Nov 2026 11:00:00 GMT', Date.parse('2026-11-30T12:00:00Z'))).toBe(0);
  expect(parseRetryAfter('soon')).toBeNull();
  expect(parseRetryAfter(undefined)).toBeNull();
});

test('a redirect is told as what it is: a sign-in page or a network that is not let in', () => {
  expect(errorOf(302, '').message).toMatch(/DATABRICKS_HOST may be wrong/);
});

test('an error of another copy of this module is known as one, and no other error is', () => {
  const foreign = Object.assign(new Error('403'), { name: 'WorkspaceError', status: 403 });
  expect(foreign instanceof WorkspaceError).toBe(true);
  for (const other of [new Error('403'), null, 'WorkspaceError', { name: 'WorkspaceError' }]) {
    expect(other instanceof WorkspaceError).toBe(false);
  }
});
