import { describe, expect, test } from 'vitest';
import type { Agent } from '@/lib/contract/api-agents';
import { patchOf, startOf } from './agent-form';

const agent = {
  maxConcurrentTasks: null,
  maxTpm: 500,
  maxAttempts: 3,
  maxRunSeconds: 1800,
  leaseSeconds: null,
  retryBaseSeconds: 2,
  retryFactor: 2,
  retryCapSeconds: 300,
  oversize: 'run_alone',
  fair: false,
  ageingSeconds: null,
} as Agent;
const form = startOf(agent);
const typed = (change: Partial<typeof form.typed>) => ({ ...form, typed: { ...form.typed, ...change } });

describe('the form of an agent', () => {
  test('sends nothing while nothing differs', () => {
    expect(patchOf(agent, form)).toEqual({});
  });

  test('sends what differs alone, an emptied limit as none', () => {
    expect(patchOf(agent, typed({ maxTpm: '', retryFactor: '2.5' }))).toEqual({
      maxTpm: null,
      retryFactor: 2.5,
    });
  });

  test('sends nothing at all while something can not be read', () => {
    expect(patchOf(agent, typed({ maxAttempts: '' }))).toBeNull();
    expect(patchOf(agent, { ...form, order: 'ageing', ageing: '0' })).toBeNull();
  });

  test('never asks for turns and ageing at once', () => {
    expect(patchOf(agent, { ...form, order: 'fair' })).toEqual({ fair: true });
    expect(patchOf({ ...agent, fair: true }, { ...form, order: 'ageing', ageing: '60' })).toEqual({
      fair: false,
      ageingSeconds: 60,
    });
    expect(patchOf({ ...agent, ageingSeconds: 60 }, { ...form, order: 'fair', ageing: 'x' })).toEqual({
      fair: true,
      ageingSeconds: null,
    });
  });
});
