import fc from 'fast-check';
import type { World } from './world';

/** Everything that can happen, and how often beside the rest. */
const WEIGHTS = {
  // work
  enqueue: 4,
  claim: 5,
  rush: 4,
  dispatch: 7,
  dispatchAll: 3,
  crash: 2,
  drainWorker: 1,
  register: 1,
  loseSession: 1,
  // what runs do and report
  succeed: 5,
  fail: 4,
  rateLimited: 2,
  progress: 2,
  contradict: 2,
  deliverAgain: 4,
  deliverStrange: 1,
  vanish: 2,
  // what looks after them
  sweep: 5,
  keep: 2,
  takeOver: 2,
  reconcile: 1,
  tune: 1,
  learn: 1,
  advance: 2,
  // what people do
  cancel: 3,
  retry: 2,
  prioritise: 2,
  openBulk: 2,
  workBulk: 2,
  inspect: 2,
  agent: 4,
  ceilings: 3,
  pause: 2,
  byHand: 2,
  // what passes by itself
  later: 6,
  clock: 1,
  snapshot: 1,
  look: 1,
} as const;

export type Op = keyof typeof WEIGHTS;

export interface Step {
  readonly op: Op;
  /** Which: of tasks, runs, workers or agents. */
  readonly a: number;
  /** How: what each deed makes of it. */
  readonly b: number;
  /** At the same time as the step before, on other connections. */
  readonly together: boolean;
}

/** How each is done. */
export type Deeds = Record<Op, (w: World, how: Pick<Step, 'a' | 'b'>) => Promise<void>>;

/** Steps of which a round is more than this are split: the database has so many connections to spare. */
const MAX_TOGETHER = 5;

const ops = Object.entries(WEIGHTS).map(([op, weight]) => ({
  arbitrary: fc.constant(op as Op),
  weight,
}));

const step: fc.Arbitrary<Step> = fc.record({
  op: fc.oneof(...ops),
  // No smaller number is simpler: trying them would take the time in which steps are left out.
  a: fc.noShrink(fc.nat({ max: 99 })),
  b: fc.noShrink(fc.nat({ max: 99 })),
  together: fc.boolean(),
});

/** Short: what goes wrong needs few steps, and each is dear. No bias: each seed is one whole sequence. */
export const sequence: fc.Arbitrary<Step[]> = fc.noBias(
  fc.array(step, { minLength: 1, maxLength: 70, size: 'max' }),
);

/** Steps in rounds: those of one begin together. */
export function inRounds(steps: readonly Step[]): Step[][] {
  const rounds: Step[][] = [];
  for (const one of steps) {
    const last = rounds.at(-1);
    if (one.together && last && last.length < MAX_TOGETHER) last.push(one);
    else rounds.push([one]);
  }
  return rounds;
}

/** As a person reads it: `claim(3, 14) & cancel(0, 2)`. */
export function describeSteps(steps: readonly Step[]): string {
  return inRounds(steps)
    .map((round) => round.map(({ op, a, b }) => `${op}(${a}, ${b})`).join(' & '))
    .join('\n');
}
