/** One attempt as the limits see it. Times are in milliseconds of one clock. */
export interface CountedAttempt {
  readonly claimedAt: number;
  /** When it was dispatched, or claimed where that is not known: its run time counts from here. */
  readonly startedAt: number;
  /** Null while it is in flight. */
  readonly endedAt: number | null;
  /** Tokens per minute that it holds while it is in flight. */
  readonly reservedRate: number;
  /** What it reported. */
  readonly usedTokens: number;
}

/** What was used of the limits over a span of time. */
export interface LimitUse {
  readonly peakTasks: number;
  /** Tokens per minute: reserved by what is in flight, and used by what ended within the last minute. */
  readonly peakRate: number;
  readonly averageTasks: number;
  readonly averageRate: number;
  /** Of the limit that was used more of at each instant, as a share of it. */
  readonly averageShare: number;
}

export interface Limits {
  readonly tasks: number | null;
  readonly tokensPerMinute: number | null;
}

/** What ended so long ago counts no more. */
const RECENT_MS = 60_000;

interface Change {
  readonly at: number;
  readonly tasks: number;
  readonly rate: number;
  readonly admits: boolean;
}

/**
 * Rebuilds from the attempts' own times what was in flight and what it cost per minute. The peaks are those at
 * admissions, of which all with one instant are one; the averages are over the time from `from` to `to`.
 */
export function limitUse(
  attempts: readonly CountedAttempt[],
  limits: Limits,
  { from, to }: { readonly from: number; readonly to: number },
): LimitUse {
  // At the same instant what ends makes room for what is admitted.
  const changes = attempts
    .flatMap(changesOf)
    .sort((a, b) => a.at - b.at || Number(a.admits) - Number(b.admits));
  let [tasks, rate, peakTasks, peakRate] = [0, 0, 0, 0];
  let [taskTime, rateTime, shareTime] = [0, 0, 0];
  changes.forEach((change, n) => {
    tasks += change.tasks;
    rate += change.rate;
    const next = changes[n + 1];
    const lastOfInstant = !next?.admits || next.at !== change.at;
    if (change.admits && lastOfInstant && change.at >= from && change.at <= to) {
      peakTasks = Math.max(peakTasks, tasks);
      peakRate = Math.max(peakRate, rate);
    }
    const span = Math.max(0, Math.min(to, next?.at ?? to) - Math.max(from, change.at));
    taskTime += span * tasks;
    rateTime += span * rate;
    const shares = [tasks / (limits.tasks ?? Infinity), rate / (limits.tokensPerMinute ?? Infinity)];
    shareTime += span * Math.max(...shares);
  });
  const [averageTasks = 0, averageRate = 0, averageShare = 0] = [taskTime, rateTime, shareTime].map(
    (time) => time / (to - from),
  );
  return { peakTasks, peakRate, averageTasks, averageRate, averageShare };
}

function changesOf(attempt: CountedAttempt): Change[] {
  const { claimedAt, startedAt, endedAt, reservedRate, usedTokens } = attempt;
  const admission = { at: claimedAt, tasks: 1, rate: reservedRate, admits: true };
  if (endedAt === null) return [admission];
  // Spread over the run where that was longer than a minute.
  const recent = usedTokens * Math.min(1, 60 / Math.max(1, (endedAt - startedAt) / 1000));
  return [
    admission,
    { at: endedAt, tasks: -1, rate: recent - reservedRate, admits: false },
    { at: endedAt + RECENT_MS, tasks: 0, rate: -recent, admits: false },
  ];
}
