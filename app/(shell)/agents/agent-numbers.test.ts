import { describe, expect, test } from 'vitest';
import { AgentPatch } from '@/lib/contract/api-requests';
import { AGEING, NUMBERS, readNumber } from './agent-numbers';

describe('numbers of an agent', () => {
  test.each(NUMBERS.map((rule) => [rule.name, rule] as const))(
    '%s takes what the API takes, and nothing else',
    (name, rule) => {
      for (const typed of [rule.min, rule.max, rule.min - 1, rule.max + 1]) {
        const { error, value } = readNumber(rule, String(typed));
        const accepted = AgentPatch.safeParse({ [name]: typed }).success;
        expect({ typed, ok: error === undefined }).toEqual({ typed, ok: accepted });
        if (accepted) expect(value).toBe(typed);
      }
      const empty = readNumber(rule, ' ');
      expect(empty.error === undefined).toBe(AgentPatch.safeParse({ [name]: null }).success);
    },
  );

  test.each(['x', '1e3', '-1', '1.5', '1,000', 'NaN', 'Infinity'])('%s is no whole number', (typed) => {
    expect(readNumber(AGEING, typed).error).toBe('A whole number from 1 to 604,800');
  });

  test('parts are for what can be parted', () => {
    const factor = NUMBERS.find(({ name }) => name === 'retryFactor');
    expect(factor && readNumber(factor, '2.5')).toEqual({ value: 2.5 });
  });
});
