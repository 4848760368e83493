import { describe, expect, it } from 'vitest';
import { RateLimiter } from './limits';

function limiter(requestsPerMinute: number | null, tokensPerMinute: number | null) {
  const clock = { now: 0 };
  return { clock, limits: new RateLimiter({ requestsPerMinute, tokensPerMinute }, () => clock.now) };
}

describe('RateLimiter', () => {
  it('admits up to the requests of a minute and says when to come back', () => {
    const { clock, limits } = limiter(2, null);
    expect(limits.admit(10).admitted).toBe(true);
    expect(limits.admit(10).admitted).toBe(true);
    expect(limits.admit(10)).toEqual({ admitted: false, what: 'requests', retryAfterSeconds: 30 });
    clock.now += 30_000;
    expect(limits.admit(10).admitted).toBe(true);
  });

  it('counts tokens of prompts and answers', () => {
    const { clock, limits } = limiter(null, 1_000);
    expect(limits.admit(600).admitted).toBe(true);
    limits.settle(200);
    expect(limits.admit(300)).toEqual({ admitted: false, what: 'tokens', retryAfterSeconds: 6 });
    clock.now += 6_000;
    expect(limits.admit(300).admitted).toBe(true);
  });

  it('lets a prompt that exceeds the whole allowance pass alone', () => {
    const { clock, limits } = limiter(null, 1_000);
    expect(limits.admit(5_000).admitted).toBe(true);
    expect(limits.admit(1).admitted).toBe(false);
    clock.now += 5 * 60_000;
    expect(limits.admit(1).admitted).toBe(true);
  });

  it('takes nothing for a refused request', () => {
    const { limits } = limiter(1, 100);
    expect(limits.admit(100).admitted).toBe(true);
    limits.admit(100);
    expect(limits.headers()['x-ratelimit-remaining-requests']).toBe('0');
  });

  it('has no limit where none is set', () => {
    const { limits } = limiter(null, null);
    for (let i = 0; i < 10_000; i++) expect(limits.admit(1_000_000).admitted).toBe(true);
  });
});
