/** What is known about an extraction's open work; durations in seconds. */
export interface OpenWork {
  readonly waiting: number;
  readonly running: number;
  /** Waiting tasks of others that go first. */
  readonly ahead: number;
  /** Median run time of recent attempts of its agent; null without history. */
  readonly measuredSeconds: number | null;
  /** Mean estimate of its own open tasks; null before they were inspected. */
  readonly estimatedSeconds: number | null;
  /** Those estimates were made with what was learnt from finished attempts: they know the size of each document. */
  readonly learnt: boolean;
  /** Tasks of all in flight now: how many are worked on at once. */
  readonly inFlight: number;
}

/** Runs differ from their estimate by about so much either way. */
const SPREAD = { low: 0.7, high: 1.6 };

/**
 * Seconds until the last task is likely to be final, as a range; null when nothing is open or nothing is known of how
 * long a task takes. Low: nobody goes first. High: everybody ahead does, and the last task starts last.
 */
export function decideEta(work: OpenWork): { lowSeconds: number; highSeconds: number } | null {
  const open = work.waiting + work.running;
  const perTask = work.learnt
    ? (work.estimatedSeconds ?? work.measuredSeconds)
    : (work.measuredSeconds ?? work.estimatedSeconds);
  if (open === 0 || perTask === null) return null;
  const slots = Math.max(1, work.inFlight);
  // What runs is half over on average.
  const own = (work.waiting + work.running / 2) * perTask;
  const others = work.ahead * perTask;
  return {
    lowSeconds: Math.max(1, (own / slots) * SPREAD.low),
    highSeconds: Math.max(1, ((own + others) / slots + perTask / 2) * SPREAD.high),
  };
}
