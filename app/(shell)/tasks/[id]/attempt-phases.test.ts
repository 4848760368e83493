import { describe, expect, test } from 'vitest';
import type { Attempt, TaskDetail } from '@/lib/contract/api';
import { phasesOf } from './attempt-phases';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const attempt = (over: Partial<Attempt>): Attempt =>
  ({
    status: 'succeeded',
    claimedAt: at(10),
    dispatchedAt: at(11),
    workEndedAt: null,
    finishedAt: at(20),
    runStoppedAt: at(20.2),
    ...over,
  }) as Attempt;
const task = (events: readonly [second: number, from: string | null, to: string][] = []): TaskDetail =>
  ({
    createdAt: at(0),
    events: events.map(([second, fromStatus, toStatus]) => ({ at: at(second), fromStatus, toStatus })),
  }) as TaskDetail;
const told = (of: TaskDetail, one: Attempt, now = 60) =>
  phasesOf(of, one, Date.parse(at(now))).map(
    ({ name, seconds, isOver }) => `${name} ${seconds}${isOver ? '' : ' …'}`,
  );

describe('the time of an attempt', () => {
  test('divides into waiting, dispatch and run', () => {
    expect(told(task([[0, null, 'enqueued']]), attempt({}))).toEqual(['waited 10', 'dispatch 1', 'run 9']);
  });

  test('waits from when the attempt before it ended, not from a change of priority', () => {
    const story = task([
      [0, null, 'enqueued'],
      [4, 'processing', 'enqueued'],
      [6, 'enqueued', 'enqueued'],
      [30, 'failed', 'enqueued'],
    ]);
    expect(told(story, attempt({}))[0]).toBe('waited 6');
  });

  test('goes on while it is not over', () => {
    const running = attempt({ status: 'running', finishedAt: null, runStoppedAt: null });
    expect(told(task(), running)).toEqual(['waited 10', 'dispatch 1', 'run 49 …']);
    expect(told(task(), { ...running, dispatchedAt: null })).toEqual(['waited 10', 'dispatch 50 …']);
  });

  test('of a run that was superseded lasts until it is known to have stopped', () => {
    expect(told(task(), attempt({ status: 'superseded', runStoppedAt: null })).at(-1)).toBe('stopping 40 …');
  });

  test('ends its run where it had its outcome: the rest is the way of the callback', () => {
    const slow = attempt({ workEndedAt: at(13) });
    expect(told(task(), slow)).toEqual(['waited 10', 'dispatch 1', 'run 2', 'callback 7']);
    // Another machine's clock, too early and too late.
    expect(told(task(), attempt({ workEndedAt: at(2) })).slice(2)).toEqual(['run 0', 'callback 9']);
    expect(told(task(), attempt({ workEndedAt: at(99) })).slice(2)).toEqual(['run 9', 'callback 0']);
  });

  test('is never negative, whatever the clocks said', () => {
    expect(told(task(), attempt({ claimedAt: at(-5), dispatchedAt: at(-6) }))).toContain('waited 0');
  });
});
