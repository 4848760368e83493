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
      tokens: { estimated: 1250, actual: 1000, difference: '+25\u202f%' },
      seconds: { estimated: 5, actual: 10, difference: '−50\u202f%' },
    });
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
