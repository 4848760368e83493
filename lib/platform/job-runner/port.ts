export interface RunRequest {
  readonly attemptId: string;
  /** `<environment id>:<attempt id>`, at most 64 characters: the same token never starts a second run. */
  readonly idempotencyToken: string;
  /** Path of the run's `input.json`. */
  readonly inputPath: string;
  /** After so many seconds the runner ends the run itself. */
  readonly maxRunSeconds: number;
}

/**
 * What became of a submission. `full`: surely not started, try later. `refused`: surely not started and never will be.
 * An exception means that the outcome is unknown: submit the same request again.
 */
export type SubmitOutcome =
  | { readonly kind: 'submitted'; readonly runId: string }
  | {
      readonly kind: 'full';
      readonly retryAfterSeconds: number;
      /** Full for every worker, as when the platform answers 429: all of them wait. */
      readonly everywhere?: boolean;
      /** Where it is more than that: shown to people with the wait. */
      readonly reason?: string;
    }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/**
 * What the runner knows of a run. `gone`: surely not running and it will never run again (it ended, vanished or never
 * was). `unreachable`: the runner cannot tell now.
 */
export type RunStatus =
  | { readonly state: 'alive' }
  | {
      readonly state: 'gone';
      /** Absent: it left no answer, as a run that was lost. */
      readonly code?: string;
      readonly message?: string;
      /** Whether another attempt can help, where the run left no report. Default true. */
      readonly retryable?: boolean;
    }
  | { readonly state: 'unreachable'; readonly cause?: unknown };

/** When a run began, as far as the database knows: not before its claim, not after its dispatch was noted. */
export interface BegunWithin {
  readonly after: Date;
  readonly before: Date;
}

/** A run that is alive now. */
export interface AliveRun {
  readonly runId: string;
  /** null where the platform does not tell it. */
  readonly attemptId: string | null;
}

/** Starts, watches and stops runs. No method blocks for the length of a run. */
export interface JobRunner {
  submit(request: RunRequest): Promise<SubmitOutcome>;
  /**
   * The state of each run; every id asked for is in the answer.
   * @param begun by run, where it is known: helps to look for one that seems to be missing
   */
  status(
    runIds: readonly string[],
    begun?: ReadonlyMap<string, BegunWithin>,
  ): Promise<ReadonlyMap<string, RunStatus>>;
  /** Asks a run to stop. Idempotent; whether it has stopped is told by {@link status}. */
  cancel(runId: string): Promise<void>;
  /** All runs of this environment that are alive now, also those that nobody waits for any more. */
  listAlive(): Promise<readonly AliveRun[]>;
  /** How many runs should be submitted now: what there is room for, at most what can be submitted in a few seconds. */
  freeSlots(): Promise<number>;
}
