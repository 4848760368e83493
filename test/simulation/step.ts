import fc from 'fast-check';
import type { World } from './world';

/** Everything that can happen, and how often beside the rest. */
const WEIGHTS = {
  // work
  enqueue: 5,
  claim: 8,
  rush: 6,
  dispatch: 7,
  dispatchAll: 3,
  crash: 2,
  drainWorker: 1,
  register: 1,
  loseSession: 1,
  // what runs do and report
  succeed: 5,
  fail: 4,
  rateLimited: 3,
  progress: 2,
  contradict: 2,
  deliverAgain: 4,
  deliverStrange: 1,
  vanish: 2,
  // what looks after them
  sweep: 6,
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
  agent: 6,
  ceilings: 4,
  pause: 2,
  byHand: 3,
  // what passes by itself
  later: 10,
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

const stepOf = (op: fc.Arbitrary<Op>): fc.Arbitrary<Step> =>
  fc.record({ op, a: fc.nat({ max: 99 }), b: fc.nat({ max: 99 }), together: fc.boolean() });

/** Mostly there are limits from the beginning, and work that they hold back. */
const beginning = fc.array(stepOf(fc.constantFrom('agent', 'agent', 'ceilings', 'enqueue')), {
  maxLength: 5,
});
const middle = fc.array(stepOf(fc.oneof(...ops)), { minLength: 1, maxLength: 66, size: 'max' });

/** Short: what goes wrong needs few steps, and each is dear. No bias: each seed is one whole sequence. */
export const sequence: fc.Arbitrary<Step[]> = fc.noBias(
  fc.tuple(beginning, middle).map((parts) => parts.flat()),
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
