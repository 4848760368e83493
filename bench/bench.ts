import { setTimeout as delay } from 'node:timers/promises';
import type { Accounting, Usage } from './accounting';
import { DISTURBED, type Figures, type Measurement, type Part } from './measurement';
import type { BenchPostgres } from './postgres';
import { openSystem, type SystemSpec } from './systems/catalogue';
import type { Place, System } from './systems/system';

export interface BenchOptions {
  readonly rounds: number;
  /** Tasks in a drain. */
  readonly tasks: number;
  /** Tasks of ours claimed at once, and connections of a worker process; unset: the best of a scan. */
  readonly batch?: number;
  readonly connections?: number;
  /** Only rows whose name matches. */
  readonly only?: RegExp;
  /** A disturbed run is not done again. */
  readonly once: boolean;
  /** Also what takes minutes to hours, such as the peers' recovery at their defaults. */
  readonly long: boolean;
  /** Of the sustained run. */
  readonly minutes: number;
  /** Of each run under a limit. */
  readonly limitSeconds: number;
  /** Finished tasks under the dashboard's figures. */
  readonly history: number;
}

/** Something to measure in each round. */
export interface Row {
  /** Its name, the same in every round. */
  readonly row: string;
  readonly spec: SystemSpec;
}

/** Figures of one run, and who used the machine meanwhile. */
export interface Run {
  readonly figures: Figures;
  readonly usage: Usage;
}

export interface RoundOptions {
  readonly rounds?: number;
  /** Whether a disturbed run is done once more; default: unless `once` is asked for. */
  readonly again?: boolean;
  readonly only?: RegExp | undefined;
}

export type Rounds = Pick<Part, 'measurements' | 'leftOut'>;

/** What runs that are done once more may take in all, so that a busy machine doesn't double the whole. */
const AGAIN_MS = 8 * 60_000;

const NO_REDIS = 'redis-server is not on the PATH';

/** What all scenarios stand on: servers, accounting and the interleaved rounds. */
export class Bench {
  /** Whether a row could not be measured, other than for want of Redis. */
  failed = false;
  /** Set when what was started is being ended: what fails from then on is no finding. */
  stopping = false;
  #againMs = AGAIN_MS;

  constructor(
    readonly postgres: BenchPostgres,
    readonly redisPort: number | null,
    readonly accounting: Accounting,
    readonly options: BenchOptions,
    /** Told of each run when it is done. */
    readonly tell: (line: string) => void,
  ) {}

  /** A fresh place of a system's, with its tables; it goes away afterwards. */
  async withPlace<T>(spec: SystemSpec, work: (system: System, place: Place) => Promise<T>): Promise<T> {
    const system = openSystem(spec);
    const databaseUrl = await this.postgres.fresh(system.contents);
    const place = { databaseUrl, redisPort: this.redisPort };
    try {
      await system.prepare(place);
      return await work(system, place);
    } finally {
      await this.postgres.drop(databaseUrl);
    }
  }

  /**
   * Runs all rows in each round, one after the other (A B C A B C …), so that what the machine does to one it does to
   * its neighbours. A run that others disturbed is done once more, and the calmer of both counts, unless
   * that has taken minutes already. A row that fails is
   * left out from then on.
   */
  async rounds<R extends { readonly row: string; readonly spec?: SystemSpec }>(
    part: string,
    rows: readonly R[],
    run: (row: R) => Promise<Run>,
    { rounds = this.options.rounds, again = !this.options.once, only = this.options.only }: RoundOptions = {},
  ): Promise<Rounds> {
    const wanted = rows.filter(({ row }) => !only || only.test(row));
    const measurements: Measurement[] = [];
    const leftOut = wanted
      .filter((row) => this.#lacksRedis(row))
      .map(({ row }) => ({ row, reason: NO_REDIS }));
    for (let round = 1; round <= rounds; round += 1) {
      for (const row of wanted) {
        if (leftOut.some((known) => known.row === row.row)) continue;
        try {
          const { figures, usage } = await (again ? this.#calmer(() => run(row)) : run(row));
          const measurement = { row: row.row, round, figures, others: usage.others };
          measurements.push(measurement);
          this.tell(describe(part, measurement));
        } catch (error) {
          if (this.stopping) return new Promise(() => {});
          const reason = error instanceof Error ? error.message : String(error);
          this.failed = true;
          leftOut.push({ row: row.row, reason });
          this.tell(`${part}  ${row.row}  FAILED: ${error instanceof Error ? error.stack : reason}`);
        }
      }
    }
    return { measurements, leftOut };
  }

  #lacksRedis({ spec }: { readonly spec?: SystemSpec }): boolean {
    return this.redisPort === null && spec !== undefined && openSystem(spec).needsRedis;
  }

  async #calmer(run: () => Promise<Run>): Promise<Run> {
    const first = await run();
    if (first.usage.others <= DISTURBED || this.#againMs <= 0) return first;
    const begun = performance.now();
    await delay(500);
    const second = await run();
    this.#againMs -= performance.now() - begun;
    return second.usage.others < first.usage.others ? second : first;
  }
}

function describe(part: string, { row, round, figures, others }: Measurement): string {
  const shown = Object.entries(figures).map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`);
  const mark = others > DISTURBED ? ' (disturbed)' : '';
  return `${part} ${round}  ${row}  ${shown.join('  ')}  others ${(others * 100).toFixed(0)} %${mark}`;
}
