import { describe, expect, test } from 'vitest';
import type { Attempt } from '@/lib/contract/api';
import { compareEstimate } from './compare-estimate';

const attempt = (over: Partial<Attempt>): Attempt =>
  ({
    dispatchedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:00:10Z',
    inputTokens: 900,
    outputTokens: 100,
    ...over,
  }) as Attempt;
const estimated = { estimatedTokens: 1250, estimatedSeconds: 5 };

describe('estimate against actual', () => {
  test('is of the last attempt that ran to an end', () => {
    const attempts = [
      attempt({ inputTokens: 1 }),
      attempt({}),
      attempt({ dispatchedAt: null }),
      attempt({ finishedAt: null }),
    ];
    expect(compareEstimate({ ...estimated, attempts })).toEqual({
      tokens: { estimated: 1250, actual: 1000, difference: '20\u202f% under the estimate' },
      seconds: { estimated: 5, actual: 10, difference: '2.0\u202f× the estimate' },
    });
  });

  test.each([
    [2.1, 9.2, '4.4\u202f× the estimate'],
    [1, 37, '37\u202f× the estimate'],
    [10, 13, '30\u202f% over the estimate'],
    [10, 2.5, '75\u202f% under the estimate'],
    [10, 10.01, 'as estimated'],
  ])('estimated %d s and took %d s is called %s', (estimatedSeconds, took, words) => {
    const finishedAt = new Date(Date.parse('2026-01-01T00:00:00Z') + took * 1000).toISOString();
    const task = { ...estimated, estimatedSeconds, attempts: [attempt({ finishedAt })] };
    expect(compareEstimate(task).seconds.difference).toBe(words);
  });

  test('says nothing where nothing was reported', () => {
    const attempts = [attempt({ inputTokens: null, finishedAt: '2026-01-01T00:00:00Z' })];
    expect(compareEstimate({ ...estimated, attempts })).toMatchObject({
      tokens: { actual: null, difference: null },
      seconds: { actual: 0, difference: null },
    });
    expect(compareEstimate({ ...estimated, attempts: [] }).tokens.actual).toBeNull();
  });
});
