/** A run as a bill knows it. */
export interface BilledRun {
  readonly attemptId: string;
  readonly runId: string;
  /** In epoch milliseconds. */
  readonly begunMs: number;
  /** In epoch milliseconds; null while it may still run. */
  readonly endedMs: number | null;
  /** An earlier attempt has the same run, and its cost is that one's, whether or not it is asked for as well. */
  readonly isBilledElsewhere?: boolean;
}

/** What is asked for: runs of this application alone. */
export interface RunsToBill {
  /** Time that their runs took together, in seconds, as a decimal string. */
  readonly runSeconds: string;
  /** The runs one by one, for a source that needs them. Throws where there are too many; the message is shown. */
  readRuns(): Promise<readonly BilledRun[]>;
}

/** What a source knows of the cost of some runs. */
export interface KnownCost {
  /** US dollars as a decimal string. */
  readonly usd: string;
  /** What the amount does not hold, or not yet, in words for people; null = nothing to say. */
  readonly note: string | null;
  /** By attempt, where the source tells one run from another: US dollars of those whose cost is known whole. */
  readonly byAttempt?: ReadonlyMap<string, string>;
}

/** Where the cost of compute comes from. It may take minutes, so nobody waits for it with a page open. */
export interface BillingSource {
  /** `estimate`, or `billing` where the platform's own bill is read; shown with the amount. */
  readonly name: 'estimate' | 'billing';
  /** Throws when the source can't be reached; the message is shown to people. */
  costOf(runs: RunsToBill): Promise<KnownCost>;
}
