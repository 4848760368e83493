import { describe, expect, test } from 'vitest';
import type { Agent } from '@/lib/contract/api-agents';
import { limitNote, nextStepWords } from './limit-note';

const agent = (own: number | null, effective: number | null, lowered: number | null = null): Agent =>
  ({
    maxConcurrentTasks: own,
    effective: { maxConcurrentTasks: effective, maxTpm: null },
    lowered: lowered === null ? null : { maxConcurrentTasks: lowered, maxTpm: null },
  }) as Agent;

describe('limits on the page of agents', () => {
  test.each([
    [agent(9, 9), 'its own limit'],
    [agent(null, null), ''],
    [agent(9, 4), 'the limit over all agents, 9 set'],
    [agent(null, 4), 'the limit over all agents, none set'],
    [agent(9, 3, 3), 'lowered, 9 set'],
    [agent(null, 3, 3), 'lowered, none set'],
    [agent(9, 2, 3), 'the limit over all agents, 9 set'],
  ])('say which one holds, and which is set (%#)', (of, words) => {
    expect(limitNote(of, 'maxConcurrentTasks')).toBe(words);
  });

  test('say what the next step up is', () => {
    const at = '2026-11-30T10:00:00.000Z';
    const lowered = { maxConcurrentTasks: 3, maxTpm: 2000, since: at, reason: 'rate_limited' };
    const next = (maxConcurrentTasks: number | null, maxTpm: number | null) =>
      nextStepWords({ ...lowered, next: { at, maxConcurrentTasks, maxTpm } });
    expect(next(4, 2500)).toBe('up to 4 at once and to 2,500 tokens a minute');
    expect(next(4, null)).toBe('up to 4 at once');
    expect(next(null, null)).toBe('lifted');
  });
});
