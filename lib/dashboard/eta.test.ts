import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideEta, type OpenWork } from './eta';

const work: OpenWork = {
  waiting: 10,
  running: 2,
  ahead: 0,
  measuredSeconds: 4,
  estimatedSeconds: 9,
  learnt: false,
  inFlight: 2,
};

describe('N7: the time left of an extraction', () => {
  it('is unknown when nothing is open', () => {
    expect(decideEta({ ...work, waiting: 0, running: 0 })).toBeNull();
  });

  it('is unknown when neither history nor estimate tells how long a task takes', () => {
    expect(decideEta({ ...work, measuredSeconds: null, estimatedSeconds: null })).toBeNull();
  });

  it('follows what was measured rather than what was estimated', () => {
    const measured = decideEta(work);
    expect(measured).toEqual(decideEta({ ...work, estimatedSeconds: null }));
    expect(measured).not.toEqual(decideEta({ ...work, measuredSeconds: null }));
  });

  it('follows estimates once they are learnt, as they know how long each document is', () => {
    const learnt = decideEta({ ...work, learnt: true });
    expect(learnt).toEqual(decideEta({ ...work, measuredSeconds: null }));
    expect(decideEta({ ...work, learnt: true, estimatedSeconds: null })).toEqual(decideEta(work));
  });

  it('is a range whose ends are positive and in order, and grows with the work', () => {
    const count = fc.integer({ min: 0, max: 100_000 });
    const seconds = fc.option(fc.double({ min: 0.01, max: 10_000, noNaN: true }));
    fc.assert(
      fc.property(count, count, count, seconds, seconds, count, (waiting, running, ahead, m, e, inFlight) => {
        const some = {
          waiting,
          running,
          ahead,
          measuredSeconds: m,
          estimatedSeconds: e,
          learnt: false,
          inFlight,
        };
        const eta = decideEta(some);
        if (!eta) return;
        expect(eta.lowSeconds).toBeGreaterThan(0);
        expect(eta.highSeconds).toBeGreaterThanOrEqual(eta.lowSeconds);
        const more = decideEta({ ...some, waiting: waiting + 1 });
        expect(more?.highSeconds).toBeGreaterThanOrEqual(eta.highSeconds);
      }),
    );
  });
});
