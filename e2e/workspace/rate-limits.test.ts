import { expect, test } from 'vitest';
import { createRateLimits } from './rate-limits';
import { Refusal } from './refusal';

test('a second’s worth of calls may come at once, the next is refused with 429 and told when to come again', () => {
  let now = 0;
  const limits = createRateLimits(() => now);
  for (let n = 0; n < 10; n += 1) limits.take('runs/cancel');
  for (let n = 0; n < 20; n += 1) limits.take('run-now');
  const refusal = () => {
    try {
      limits.take('runs/cancel');
      return null;
    } catch (error) {
      return error as Refusal;
    }
  };
  expect(refusal()).toMatchObject({
    status: 429,
    errorCode: 'REQUEST_LIMIT_EXCEEDED',
    headers: { 'retry-after': '1' },
  });
  limits.retryAfter = false;
  expect(refusal()?.headers).toEqual({});
  expect(limits.refused.get('runs/cancel')).toBe(2);
  now = 100;
  expect(refusal()).toBeNull();
  expect(refusal()).toBeInstanceOf(Refusal);
});
