import fc from 'fast-check';
import { type Connection, Lane } from './lane';
import { play } from './play';
import { shrink } from './shrink';
import { describeSteps, inRounds, type Step, sequence } from './step';
import { type ApplyCallbacks, Broken } from './world';

export interface SimulateOptions {
  /** One sequence each, from this on. */
  readonly firstSeed: number;
  readonly runs: number;
  /** Sequences side by side, each in a database of its own. */
  readonly lanes?: number;
  readonly plant?: (connection: Connection) => Promise<void>;
  readonly apply?: ApplyCallbacks;
  /** For making a failure small; default 60. */
  readonly shrinkSeconds?: number;
}

/** What goes wrong only now and then, as a race does, is tried more than once. */
const TRIES = 3;

/** A sequence that broke something, made as small as time allowed. */
export interface Failure {
  readonly seed: number;
  readonly message: string;
  /** Of the sequence as it was found, and of the small one. */
  readonly foundWith: number;
  readonly steps: readonly Step[];
}

/** Plays one sequence per seed, until one fails. A seed makes the same steps again; how those that are together meet is the database's. */
export async function simulate(options: SimulateOptions): Promise<Failure | null> {
  const { firstSeed, runs, lanes = 3, plant } = options;
  let next = firstSeed;
  let failure: Failure | null = null;
  await Promise.all(
    Array.from({ length: Math.min(lanes, runs) }, async () => {
      const lane = await Lane.open(plant);
      try {
        while (!failure && next < firstSeed + runs) {
          const seed = next++;
          const found = await playSeed(lane, seed, options);
          failure ??= found;
        }
      } finally {
        await lane.close();
      }
    }),
  );
  return failure;
}

async function playSeed(lane: Lane, seed: number, options: SimulateOptions): Promise<Failure | null> {
  const { apply, shrinkSeconds = 60 } = options;
  // One run, the first that fast-check makes of this seed.
  const [steps = []] = fc.sample(sequence, { seed, numRuns: 1 });
  const found = await play(lane, steps, { apply });
  if (!found) return null;
  let smallest = found;
  // What goes wrong before the end needs no end.
  const toTheEnd = found.round >= inRounds(steps).length;
  const deadline = performance.now() + shrinkSeconds * 1000;
  const failsWithin = async (fewer: readonly Step[], tries: number) => {
    for (; tries > 0 && performance.now() < deadline; tries -= 1) {
      const again = await play(lane, fewer, { apply, toTheEnd });
      if (again) smallest = again;
      if (again) return true;
    }
    return false;
  };
  const isSure = (await failsWithin(steps, 1)) && (await failsWithin(steps, 1));
  const small = await shrink(steps, found.round, (fewer) => failsWithin(fewer, isSure ? 1 : TRIES));
  return { seed, foundWith: steps.length, steps: small, message: describeError(smallest.error) };
}

/** With what lies below: drizzle wraps what the database says. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const below = error.cause instanceof Error ? `\n${describeError(error.cause)}` : '';
  return `${error instanceof Broken ? error.message : error.stack}${below}`;
}

/** For a person: how to see it again, what broke, and the steps. */
export function describeFailure({ seed, message, foundWith, steps }: Failure): string {
  return `SIMULATION_SEED=${seed} SIMULATION_RUNS=1: ${message}\n\n${steps.length} steps (found with ${foundWith}):\n${describeSteps(steps)}`;
}
