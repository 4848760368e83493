/** What was used ÷ what the uncalibrated estimate of the same document says. */
export interface Factors {
  readonly tokens: number;
  readonly seconds: number;
}

/** What was learnt of an agent. */
export interface Learnt {
  readonly samples: number;
  readonly tokensPerPage: number;
  readonly secondsPerPage: number;
  readonly text: Factors;
  readonly scan: Factors;
}

/** The same as it is in use, by version. */
export type Calibration = Learnt & { readonly version: number };
