import { describe, expect, it } from 'vitest';
import { decideFreshness, nextPauseMs, type Signs, shouldAsk } from './freshness';

const signs = (over: Partial<Signs>): Signs => ({
  openedAt: 0,
  lastEventAt: null,
  lastLateAt: null,
  lastAnswerAt: 0,
  lastFailureAt: null,
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
  it('claims nothing in the first seconds of a page, nor after a long sleep', () => {
    expect(decideFreshness(signs({}), 1_000).state).toBe('connecting');
    expect(decideFreshness(signs({ lastAnswerAt: 3_000 }), 4_000).state).toBe('polling');
    const awake = signs({ openedAt: 9_000_000, lastAnswerAt: 1_000 });
    expect(decideFreshness(awake, 9_001_000).state).toBe('connecting');
    expect(decideFreshness(awake, 9_004_000)).toEqual({ state: 'stale', since: 1_000 });
  });
  it('B34: is not live on a stream that something on the way holds back, whenever a bundle of it arrives', () => {
    const late = signs({ lastEventAt: 60_000, lastAnswerAt: 60_000, lastLateAt: 60_000 });
    expect(decideFreshness(late, 61_000).state).toBe('polling');
    expect(decideFreshness({ ...late, lastEventAt: 90_000 }, 90_000).state).toBe('live');
  });

  it('turns within 15 s of any silent cut, whatever was cut and whenever', () => {
    for (let sinceEvent = 0; sinceEvent < 5_000; sinceEvent += 250) {
      const cutAt = 100_000;
      const lastEventAt = cutAt - sinceEvent;
      let asked = 0;
      const seen = { all: -1, stream: -1 };
      for (let now = cutAt; now <= cutAt + 15_000; now += 1_000) {
        const all = signs({ lastEventAt, lastAnswerAt: lastEventAt });
        if (shouldAsk(all, asked, now)) asked = now;
        if (seen.all < 0 && decideFreshness(all, now).state === 'stale') seen.all = now - cutAt;
        const stream = signs({ lastEventAt, lastAnswerAt: asked || lastEventAt });
        if (seen.stream < 0 && decideFreshness(stream, now).state === 'polling') seen.stream = now - cutAt;
      }
      for (const after of Object.values(seen)) {
        expect(after).toBeGreaterThan(0);
        expect(after).toBeLessThanOrEqual(14_000);
      }
    }
  });

  it('asks less often while it gets no answer, with jitter, but always within 10 s', () => {
    for (const random of [0, 0.5, 1]) {
      let pause = 5_000;
      for (let n = 0; n < 10; n += 1) {
        pause = nextPauseMs(pause, () => random);
        expect(pause).toBeGreaterThan(5_000);
        expect(pause).toBeLessThanOrEqual(10_000);
      }
    }
    expect(nextPauseMs(5_000, () => 0)).not.toBe(nextPauseMs(5_000, () => 1));
  });

  it('asks nobody while events come, and every 5 s once they do not', () => {
    const silent = signs({ lastEventAt: 50_000, lastAnswerAt: 48_000 });
    expect(shouldAsk(silent, 0, 54_000)).toBe(false);
    expect(shouldAsk(silent, 0, 55_000)).toBe(true);
    expect(shouldAsk(silent, 55_000, 59_000)).toBe(false);
    expect(shouldAsk(silent, 55_000, 60_000)).toBe(true);
  });
});
