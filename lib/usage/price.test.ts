import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyTokens } from './price';

const count = fc.integer({ min: 0, max: 1_000_000_000_000 });

describe('classifyTokens', () => {
  it('B20: takes what is cached or written out of the input, so that none is paid for twice', () => {
    const usage = { inputTokens: 1000, cachedInputTokens: 700, cacheWriteTokens: 100, outputTokens: 50 };
    expect(classifyTokens(usage)).toEqual({ freshInput: 200, cachedInput: 700, cacheWrite: 100, output: 50 });
  });

  it('B20: the classes exclude each other and add up, whatever is reported', () => {
    fc.assert(
      fc.property(
        count,
        count,
        count,
        count,
        (inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens) => {
          const tokens = classifyTokens({ inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens });
          const special = cachedInputTokens + cacheWriteTokens;
          expect(Math.min(...Object.values(tokens))).toBeGreaterThanOrEqual(0);
          expect(tokens.freshInput + tokens.cachedInput + tokens.cacheWrite).toBe(
            inputTokens >= special ? inputTokens : inputTokens + special,
          );
        },
      ),
    );
  });
});
