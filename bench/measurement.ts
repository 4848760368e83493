/** Figures of one run by name, such as `perSecond`. */
export type Figures = Readonly<Record<string, number>>;

/** One run of one row in one round. */
export interface Measurement {
  readonly row: string;
  readonly round: number;
  readonly figures: Figures;
  /** Share of the machine that others used meanwhile, 0 to 1. */
  readonly others: number;
}

/** A column of a part's table. */
export interface Column {
  readonly figure: string;
  readonly head: string;
  /** `spread`: median [min – max]; `median`: the median alone. */
  readonly show: 'spread' | 'median';
}

/** What is promised of a figure of one row, beside another row of the same rounds or by itself. */
export interface Target {
  readonly says: string;
  readonly row: string;
  readonly figure: string;
  /** Left out: the figure itself counts. */
  readonly over?: { readonly row: string; readonly figure?: string };
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Rather than merely the limit. */
  readonly aim?: number;
}

/** One of the things that are measured. */
export interface Part {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly targets: readonly Target[];
  readonly measurements: readonly Measurement[];
  /** Sentences that belong to the table: what was chosen, what was left out and why. */
  readonly notes: readonly string[];
  /** Rows that were not measured, or not to the end, and why. */
  readonly leftOut: readonly { readonly row: string; readonly reason: string }[];
}

/** The share from which on a run counts as disturbed. */
export const DISTURBED = 0.15;
