/** What is asked for: runs of this application alone. */
export interface RunsToBill {
  /** Time that their runs took together, in seconds, as a decimal string. */
  readonly runSeconds: string;
}

/** Where the cost of compute comes from. It may take minutes, so nobody waits for it with a page open. */
export interface BillingSource {
  /** `estimate`, or `billing` where the platform's own bill is read; shown with the amount. */
  readonly name: 'estimate' | 'billing';
  /** US dollars as a decimal string. Throws when the source can't be reached; the message is shown to people. */
  costOf(runs: RunsToBill): Promise<string>;
}
