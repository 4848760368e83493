import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTEMPT_STATUSES, TASK_STATUSES } from '@/lib/contract/api';
import { type CallbackFacts, decideCallback } from './decide-callback';
import { isFinal, isLive } from './states';

const TYPES = ['attempt.succeeded', 'attempt.failed', 'attempt.progress'] as const;

/** Facts that can be true together: a current attempt is live and its task in processing. */
const anyFacts: fc.Arbitrary<CallbackFacts> = fc
  .record({
    taskStatus: fc.constantFrom(...TASK_STATUSES),
    cancelRequested: fc.boolean(),
    isCurrent: fc.boolean(),
    attemptStatus: fc.constantFrom(...ATTEMPT_STATUSES),
  })
  .filter((facts) => facts.isCurrent === (facts.taskStatus === 'processing' && isLive(facts.attemptStatus)));

const processing: CallbackFacts = {
  taskStatus: 'processing',
  cancelRequested: false,
  isCurrent: true,
  attemptStatus: 'running',
};
const lostAndWaiting: CallbackFacts = {
  ...processing,
  taskStatus: 'enqueued',
  isCurrent: false,
  attemptStatus: 'lost',
};

describe('the fence', () => {
  it.each([
    [
      'success of the current attempt',
      'attempt.succeeded',
      processing,
      { act: 'complete', outcome: 'applied', stop: false },
    ],
    [
      'success of a lost one, task waiting',
      'attempt.succeeded',
      lostAndWaiting,
      { act: 'complete', outcome: 'applied', stop: false },
    ],
    [
      'success of a lost one, another acts',
      'attempt.succeeded',
      { ...lostAndWaiting, taskStatus: 'processing' },
      { act: 'complete', outcome: 'applied', stop: false },
    ],
    [
      'success after a cancel was requested',
      'attempt.succeeded',
      { ...processing, cancelRequested: true },
      { act: 'cancel', outcome: 'applied', stop: true },
    ],
    [
      'failure of the current attempt',
      'attempt.failed',
      processing,
      { act: 'end', outcome: 'applied', stop: false },
    ],
    [
      'failure of a lost one',
      'attempt.failed',
      lostAndWaiting,
      { act: 'nothing', outcome: 'recorded', stop: false },
    ],
    [
      'progress of the current attempt',
      'attempt.progress',
      processing,
      { act: 'note', outcome: 'applied', stop: false },
    ],
    [
      'progress after a cancel was requested',
      'attempt.progress',
      { ...processing, cancelRequested: true },
      { act: 'note', outcome: 'applied', stop: true },
    ],
    [
      'progress of a lost one, task waiting',
      'attempt.progress',
      lostAndWaiting,
      { act: 'nothing', outcome: 'recorded', stop: false },
    ],
    [
      'progress of a lost one, another acts',
      'attempt.progress',
      { ...lostAndWaiting, taskStatus: 'processing' },
      { act: 'nothing', outcome: 'recorded', stop: true },
    ],
    [
      'progress of a superseded one',
      'attempt.progress',
      { ...lostAndWaiting, attemptStatus: 'superseded' },
      { act: 'nothing', outcome: 'recorded', stop: true },
    ],
    [
      'anything once completed',
      'attempt.failed',
      { ...processing, taskStatus: 'completed', isCurrent: false, attemptStatus: 'succeeded' },
      { act: 'nothing', outcome: 'noop', stop: false },
    ],
    [
      'progress of a superseded one once completed',
      'attempt.progress',
      { ...lostAndWaiting, taskStatus: 'completed', attemptStatus: 'superseded' },
      { act: 'nothing', outcome: 'noop', stop: true },
    ],
  ] as const)('invariant 3: %s', (_, type, facts, decision) => {
    expect(decideCallback(type, facts)).toEqual(decision);
  });

  it('invariant 2: once a task is final nothing is done to it, and everything is a noop', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), anyFacts, (type, facts) => {
        const decision = decideCallback(type, facts);
        expect(decision.outcome === 'noop').toBe(isFinal(facts.taskStatus));
        if (isFinal(facts.taskStatus)) expect(decision.act).toBe('nothing');
      }),
    );
  });

  it('invariant 3: only a success acts for an attempt that is not current', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), anyFacts, (type, facts) => {
        const { act } = decideCallback(type, facts);
        if (!facts.isCurrent && type !== 'attempt.succeeded') expect(act).toBe('nothing');
      }),
    );
  });

  it('B28, invariant 3: nothing completes a task whose cancel was requested, and every such run is told to stop', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), anyFacts, (type, facts) => {
        const decision = decideCallback(type, { ...facts, cancelRequested: true });
        expect(decision.act).not.toBe('complete');
        if (facts.isCurrent) expect(decision.stop).toBe(true);
      }),
    );
  });
});
