import { describe, expect, it } from 'vitest';
import { ATTEMPT_STATUSES, TASK_STATUSES } from '@/lib/contract/api';
import { isFinal, isLive, TRANSITIONS, type Transition } from './states';

const all: [string, Transition][] = Object.entries(TRANSITIONS);

describe('states', () => {
  it('invariant 2: no transition leaves `completed`', () => {
    expect(all.filter(([, { from }]) => from.includes('completed'))).toEqual([]);
  });

  it('only an operator leaves a final status', () => {
    expect(all.filter(([, { from }]) => from.some(isFinal)).map(([name]) => name)).toEqual(['reopen']);
  });

  it('invariant 1: from every status that is not final there is a way to each final one', () => {
    const reachable = (from: string, seen = new Set<string>()): Set<string> => {
      for (const [, transition] of all) {
        if (!(transition.from as readonly string[]).includes(from) || seen.has(transition.to)) continue;
        seen.add(transition.to);
        reachable(transition.to, seen);
      }
      return seen;
    };
    for (const status of ['enqueued', 'processing']) {
      expect([...reachable(status)]).toEqual(expect.arrayContaining(['completed', 'failed', 'cancelled']));
    }
  });

  it('only the claim makes an attempt live, and only it leads to `processing`', () => {
    for (const [name, { to, attempt }] of all) {
      expect(to === 'processing').toBe(name === 'claim');
      expect(attempt !== null && isLive(attempt)).toBe(name === 'claim');
    }
  });

  it('a task completes with an attempt that succeeded, and with no other', () => {
    for (const [, { to, attempt }] of all) expect(to === 'completed').toBe(attempt === 'succeeded');
  });

  it('names every status that is final and every attempt that is live', () => {
    expect(TASK_STATUSES.filter(isFinal)).toEqual(['completed', 'failed', 'cancelled']);
    expect(ATTEMPT_STATUSES.filter(isLive)).toEqual(['claimed', 'running']);
  });
});
