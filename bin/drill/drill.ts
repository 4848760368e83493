import type { Arena } from './arena';

/** How long the waits of the drills are, in seconds. */
export interface DrillTimes {
  /** All workers away. */
  readonly away: number;
  /** A provider or a runner out of service. */
  readonly outage: number;
  /** One snapshot held open. */
  readonly snapshot: number;
}

/** What a drill found. */
export interface Finding {
  /** Figures in words, with their limits where there are some. */
  readonly measured: string;
  /** What was not as promised, one sentence each; empty when the promise held. */
  readonly broken: readonly string[];
}

/** One failure made on purpose, and what must hold all the same. */
export interface Drill {
  readonly name: string;
  /** One sentence. */
  readonly promise: string;
  run(arena: Arena, times: DrillTimes): Promise<Finding>;
}

/** As `npm run drill -- --json` prints it. */
export interface DrillResult {
  readonly name: string;
  readonly promise: string;
  readonly measured: string;
  readonly pass: boolean;
}

/** Collects what a drill finds out on its way. */
export class Findings {
  readonly #figures: string[] = [];
  readonly #broken: string[] = [];

  /** A figure for the table. */
  note(figure: string): void {
    this.#figures.push(figure);
  }

  /** A figure in seconds that must not be above `limit`. */
  within(what: string, seconds: number, limit: number): void {
    this.note(`${what} ${seconds.toFixed(1)} s (≤ ${limit} s)`);
    if (!(seconds <= limit)) this.#broken.push(`${what} took ${seconds.toFixed(1)} s`);
  }

  /** Something that must be so. */
  expect(holds: boolean, otherwise: string): void {
    if (!holds) this.#broken.push(otherwise);
  }

  add(other: Finding): void {
    if (other.measured) this.#figures.push(other.measured);
    this.#broken.push(...other.broken);
  }

  done(): Finding {
    return { measured: this.#figures.join(' · '), broken: this.#broken };
  }
}
