import { expect, test } from 'vitest';
import { failureReason } from './failure-reason';

test('the reason of a database error is what the server or the driver said', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:5432');
  expect(failureReason(new Error('Failed query: select 1\nparams: ', { cause: refused }))).toBe(
    refused.message,
  );
  expect(failureReason(new AggregateError([refused, new Error('connect ECONNREFUSED ::1:5432')]))).toBe(
    refused.message,
  );
  expect(failureReason(refused)).toBe(refused.message);
  expect(failureReason('closed')).toBe('closed');
});
