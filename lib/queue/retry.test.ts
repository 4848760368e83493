import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '@/lib/contract/error-codes';
import { isOutageCode, type OutageOfTask } from './outage';
import {
  backoffSeconds,
  decideRetry,
  MAX_LOST,
  MAX_OUTAGE_SECONDS,
  MAX_PAID_OUTAGE_ENDS,
  type RetryFacts,
  type RetryPolicy,
} from './retry';

const DEFAULTS: RetryPolicy = { baseSeconds: 2, factor: 2, capSeconds: 300 };

const FIRST: OutageOfTask = { seconds: 0, paidEnds: 0, isPaid: false };

const facts = (changes: Partial<RetryFacts> = {}): RetryFacts => ({
  code: 'internal',
  retryable: true,
  attemptCount: 1,
  maxAttempts: 3,
  lostCount: 0,
  outage: null,
  policy: DEFAULTS,
  ...changes,
});

/** Whatever the columns can hold. */
const anyPolicy = fc.record({
  baseSeconds: fc.double({ min: 0, max: 3600, noNaN: true }),
  factor: fc.double({ min: 1, max: 10, noNaN: true }),
  capSeconds: fc.double({ min: 0, max: 86_400, noNaN: true }),
});

describe('decideRetry', () => {
  it('M36: tries again until the attempts are used up', () => {
    expect(decideRetry(facts({ attemptCount: 2 })).kind).toBe('retry');
    expect(decideRetry(facts({ attemptCount: 3 }))).toEqual({ kind: 'fail', why: 'attempts_used_up' });
  });

  it('never tries a permanent code of the contract again, and believes an agent that says permanent', () => {
    for (const [code, { retryable }] of Object.entries(ERROR_CODES)) {
      expect(decideRetry(facts({ code })).kind).toBe(retryable ? 'retry' : 'fail');
      expect(decideRetry(facts({ code, retryable: false }))).toEqual({ kind: 'fail', why: 'permanent' });
    }
    expect(decideRetry(facts({ code: 'of_another_author' })).kind).toBe('retry');
  });

  it('B15: parks what was lost three times in a row, whatever its budget', () => {
    const lost = facts({ code: 'run_lost', maxAttempts: 100, lostCount: MAX_LOST });
    expect(decideRetry(lost)).toEqual({ kind: 'fail', why: 'lost_too_often' });
    expect(decideRetry({ ...lost, lostCount: MAX_LOST - 1 }).kind).toBe('retry');
  });

  it('a provider that is out of quota or away uses up no attempt, for hours but not for ever', () => {
    for (const code of ['rate_limited', 'model_unavailable']) {
      const away = (outage: Partial<OutageOfTask> = {}) =>
        decideRetry(facts({ code, attemptCount: 3, outage: { ...FIRST, ...outage } }));
      expect(away()).toMatchObject({ kind: 'retry', addAttempts: 1 });
      expect(away({ seconds: MAX_OUTAGE_SECONDS - 1 })).toMatchObject({ kind: 'retry', addAttempts: 1 });
      expect(away({ seconds: MAX_OUTAGE_SECONDS })).toEqual({ kind: 'fail', why: 'attempts_used_up' });
    }
    expect(decideRetry(facts({ attemptCount: 2 }))).toMatchObject({ kind: 'retry', addAttempts: 0 });
  });

  it('B15: what had used tokens before it was refused is tried so again only so often', () => {
    const paid = (code: string, paidEnds: number) =>
      decideRetry(facts({ code, attemptCount: 3, outage: { ...FIRST, isPaid: true, paidEnds } })).kind;
    expect(paid('rate_limited', MAX_PAID_OUTAGE_ENDS)).toBe('retry');
    expect(paid('rate_limited', MAX_PAID_OUTAGE_ENDS + 1)).toBe('fail');
    // A model that answered is not away: that it can't use the document counts as any other failure.
    expect(paid('model_unavailable', 1)).toBe('fail');
  });

  it('every decision is one of the two, for any facts', () => {
    fc.assert(
      fc.property(
        fc.record({
          code: fc.oneof(
            fc.string(),
            fc.constantFrom(...Object.keys(ERROR_CODES), '__proto__', 'constructor'),
          ),
          retryable: fc.boolean(),
          retryAfterSeconds: fc.option(fc.double({ min: 0, max: 86_400, noNaN: true })),
          attemptCount: fc.nat(),
          maxAttempts: fc.integer({ min: 1, max: 1000 }),
          lostCount: fc.nat({ max: 5 }),
          outage: fc.option(
            fc.record({
              seconds: fc.double({ min: 0, max: 1e9, noNaN: true }),
              paidEnds: fc.nat({ max: 40 }),
              isPaid: fc.boolean(),
            }),
          ),
          policy: anyPolicy,
        }),
        (any) => {
          const decision = decideRetry(any);
          if (decision.kind === 'retry') {
            expect(any.retryable && any.lostCount < MAX_LOST).toBe(true);
            expect(any.attemptCount).toBeLessThan(any.maxAttempts + decision.addAttempts);
            if (decision.addAttempts === 1) expect(isOutageCode(any.code)).toBe(true);
            expect(decision.delaySeconds).toBeGreaterThanOrEqual(any.retryAfterSeconds ?? 0);
          }
        },
      ),
    );
  });
});

describe('backoff', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const attempts = fc.integer({ min: 1, max: 10_000 });

  it('stays between half and whole of 2 s doubled with each attempt, up to 300 s', () => {
    fc.assert(
      fc.property(attempts, random, (attemptCount, r) => {
        const whole = Math.min(300, 2 ** Math.min(attemptCount, 20));
        const seconds = backoffSeconds({ attemptCount, policy: DEFAULTS }, () => r);
        expect(seconds).toBeGreaterThanOrEqual(whole / 2);
        expect(seconds).toBeLessThanOrEqual(whole);
      }),
    );
  });

  it("follows the agent's own base, factor and cap, and never waits longer than the cap", () => {
    const policy = { baseSeconds: 10, factor: 3, capSeconds: 60 };
    const longest = [1, 2, 3, 9].map((attemptCount) => backoffSeconds({ attemptCount, policy }, () => 1));
    expect(longest).toEqual([10, 30, 60, 60]);
    fc.assert(
      fc.property(attempts, random, anyPolicy, (attemptCount, r, drawn) => {
        const seconds = backoffSeconds({ attemptCount, policy: drawn }, () => r);
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThanOrEqual(drawn.capSeconds);
      }),
    );
  });

  it('B16: Retry-After is a floor, with jitter upward of at most a quarter', () => {
    fc.assert(
      fc.property(
        attempts,
        random,
        fc.double({ min: 0.1, max: 86_400, noNaN: true }),
        (attemptCount, r, floor) => {
          const seconds = backoffSeconds(
            { attemptCount, retryAfterSeconds: floor, policy: DEFAULTS },
            () => r,
          );
          expect(seconds).toBeGreaterThanOrEqual(floor);
          expect(seconds).toBeLessThanOrEqual(Math.max(300, floor * 1.25));
        },
      ),
    );
  });

  it('B16: twenty that failed together do not come back together', () => {
    const waits = Array.from({ length: 20 }, () =>
      backoffSeconds({ attemptCount: 5, retryAfterSeconds: 600, policy: DEFAULTS }, Math.random),
    );
    expect(new Set(waits).size).toBe(20);
  });
});
