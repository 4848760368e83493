import { expect, it } from 'vitest';
import { describeFailure, simulate } from '@/test/simulation/simulate';

const RUNS = Number(process.env.SIMULATION_RUNS ?? 500);
const SEED = Number(process.env.SIMULATION_SEED ?? 1);

it(`invariants 1 to 9 hold after anything, in any order and at the same time, and everything ends (seeds ${SEED} to ${SEED + RUNS - 1})`, async () => {
  const failure = await simulate({ firstSeed: SEED, runs: RUNS });
  expect(failure ? describeFailure(failure) : null).toBeNull();
}, 3_600_000);
