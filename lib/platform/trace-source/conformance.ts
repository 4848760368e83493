import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TraceSource, TraceSourceUnavailable } from './port';

/** What a run writes: two calls of 100 and 200 tokens in, 20 out each, for 0.0000123 and 0.1 US dollars. */
export const RUN_USAGE = {
  inputTokens: 300,
  cachedInputTokens: 40,
  cacheWriteTokens: 0,
  outputTokens: 40,
  costUsd: '0.1000123',
} as const;

/** A source to be put to the test, with what only its maker can do. */
export interface SourceUnderTest {
  readonly source: TraceSource;
  /** Writes the trace of {@link RUN_USAGE} as a run does, ended or still without its root. */
  write(traceId: string, state: 'in_flight' | 'ended'): Promise<void>;
  /** From now on it refuses everybody, or can't be reached. */
  fail(how: 'refuses' | 'is_away'): Promise<void>;
  close(): Promise<void>;
}

const ID = '0123456789abcdef0123456789abcdef';

/** What every trace source must do; each implementation's test file calls this once. */
export function traceSourceConformance(name: string, make: () => Promise<SourceUnderTest>): void {
  describe(`trace source: ${name}`, () => {
    let made: SourceUnderTest;
    beforeEach(async () => {
      made = await make();
    });
    afterEach(() => made.close());
    const read = () => made.source.read(ID);
    const sum = async () => {
      const reading = await read();
      if (reading.kind !== 'found') return null;
      const add = (key: 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'outputTokens') =>
        reading.calls.reduce((all, call) => all + call[key], 0);
      return {
        inputTokens: add('inputTokens'),
        cachedInputTokens: add('cachedInputTokens'),
        cacheWriteTokens: add('cacheWriteTokens'),
        outputTokens: add('outputTokens'),
      };
    };

    test('a trace that never arrived is absent, not an error and not zero', async () => {
      expect(await read()).toEqual({ kind: 'absent' });
    });

    test('M16: a trace that has ended gives the tokens and the cost of its calls, priced by the run', async () => {
      await made.write(ID, 'ended');
      const { costUsd, ...tokens } = RUN_USAGE;
      expect(await sum()).toEqual(tokens);
      const reading = await read();
      if (reading.kind !== 'found') throw new Error('absent');
      expect(reading.isEnded).toBe(true);
      expect(reading.calls.every((call) => call.pricedBy === 'run')).toBe(true);
      expect(reading.calls.map((call) => Number(call.costUsd)).reduce((a, b) => a + b)).toBeCloseTo(
        Number(costUsd),
        12,
      );
    });

    test('reading twice is reading once, and what was written twice counts once', async () => {
      await made.write(ID, 'ended');
      const first = await read();
      await made.write(ID, 'ended');
      expect(await read()).toEqual(first);
    });

    test('M17: a run in flight is seen with the calls that have ended, where the source can show it', async () => {
      await made.write(ID, 'in_flight');
      const reading = await read();
      if (!made.source.seesRunsInFlight) return expect(reading).toEqual({ kind: 'absent' });
      expect(reading).toMatchObject({ kind: 'found', isEnded: false });
      expect((await sum())?.inputTokens).toBeGreaterThan(0);
    });

    test.each(['refuses', 'is_away'] as const)(
      'when it %s, that is said and nothing is taken for absent',
      async (how) => {
        await made.write(ID, 'ended');
        await made.fail(how);
        await expect(read()).rejects.toThrow(TraceSourceUnavailable);
      },
    );
  });
}
