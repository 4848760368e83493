import { describe, expect, it } from 'vitest';
import { PLANTED } from '@/test/simulation/planted';
import { describeFailure, simulate } from '@/test/simulation/simulate';

describe('the simulation finds a bug that is planted', () => {
  for (const { name, broken, ...bug } of PLANTED) {
    it(`${name}, within 200 seeds, and makes it small`, async () => {
      const failure = await simulate({ firstSeed: 1, runs: 200, shrinkSeconds: 15, ...bug });
      if (!failure) throw new Error('it was not found');
      process.stdout.write(`${name}: ${describeFailure(failure)}\n`);
      expect(failure.message).toMatch(broken);
      expect(failure.steps.length).toBeLessThan(failure.foundWith);
    }, 300_000);
  }
});
