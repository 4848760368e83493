import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BilledRun, BillingSource } from './port';

/** A source to be put to the test, with what only its maker can tell. */
export interface SourceUnderTest {
  readonly source: BillingSource;
  /** Runs that have cost something, with the time that they took together in seconds. */
  readonly runs: readonly BilledRun[];
  readonly runSeconds: string;
  close(): Promise<void>;
}

/** What every billing source must do; each implementation's test file calls this once. */
export function billingSourceConformance(name: string, make: () => Promise<SourceUnderTest>): void {
  describe(`billing source: ${name}`, () => {
    let made: SourceUnderTest;
    beforeAll(async () => {
      made = await make();
    });
    afterAll(() => made.close());
    const costOf = (runs: readonly BilledRun[], runSeconds: string) =>
      made.source.costOf({ runSeconds, readRuns: async () => runs });

    test('an amount is a decimal text of at most twelve digits after the point, above nothing', async () => {
      const { usd } = await costOf(made.runs, made.runSeconds);
      expect(usd).toMatch(/^\d+(\.\d{1,12})?$/);
      expect(Number(usd)).toBeGreaterThan(0);
    });

    test('no runs cost nothing', async () => {
      expect((await costOf([], '0')).usd).toBe('0');
    });

    test('asked twice it says the same', async () => {
      expect((await costOf(made.runs, made.runSeconds)).usd).toBe(
        (await costOf(made.runs, made.runSeconds)).usd,
      );
    });
  });
}
