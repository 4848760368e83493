import { describe, expect, it } from 'vitest';
import { decideFreshness, type Signs } from './freshness';

const signs = (over: Partial<Signs>): Signs => ({
  openedAt: 0,
  lastEventAt: null,
  lastAnswerAt: 0,
  lastFailureAt: null,
  pollMs: 10_000,
  ...over,
});

describe('the live indicator tells the truth', () => {
  it('is live while events come', () => {
    expect(decideFreshness(signs({ lastEventAt: 50_000 }), 61_999).state).toBe('live');
  });
  it('B11: is not live 12 s after the last event, even though polls answer', () => {
    expect(decideFreshness(signs({ lastEventAt: 50_000, lastAnswerAt: 60_000 }), 62_000).state).toBe(
      'polling',
    );
  });
  it('is stale since the last answer when neither speaks', () => {
    expect(decideFreshness(signs({ lastEventAt: 20_000, lastAnswerAt: 30_000 }), 60_000)).toEqual({
      state: 'stale',
      since: 30_000,
    });
  });
  it('is stale at once when a poll has failed and nothing has been heard for 12 s', () => {
    const cut = signs({ lastEventAt: 20_000, lastAnswerAt: 20_000, lastFailureAt: 30_000 });
    expect(decideFreshness(cut, 33_000)).toEqual({ state: 'stale', since: 20_000 });
    expect(decideFreshness({ ...cut, lastAnswerAt: 32_500 }, 33_000).state).toBe('polling');
  });
  it('claims nothing in the first seconds of a page', () => {
    expect(decideFreshness(signs({}), 1_000).state).toBe('connecting');
    expect(decideFreshness(signs({ lastAnswerAt: 3_000 }), 4_000).state).toBe('polling');
  });
});
