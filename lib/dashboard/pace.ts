import 'server-only';

/** Reading for pages takes no more than this share of one core's time, as long as they ask no less often than the longest pause. */
const SHARE = 0.1;
/** What is on screen is fetched again at most this often … */
export const SHORTEST_PAUSE_MS = 1_000;
/** … and at least this often while anything changes. */
export const LONGEST_PAUSE_MS = 5_000;
/** Who has not asked for so long has left the page. */
const FORGOTTEN_AFTER_MS = 3 * LONGEST_PAUSE_MS;

interface Asked {
  costMs: number;
  at: number;
}

/**
 * Says how long pages should wait before they ask again: the more different questions are asked and the longer they take, the
 * longer. On a machine that is busy with other things they take longer, too. Counts without filters come with the event
 * stream and wait for nothing.
 */
export class Pace {
  readonly #asked = new Map<string, Asked>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes that a question took so long; equal questions that were answered together are one. */
  note(question: string, costMs: number): void {
    const before = this.#asked.get(question);
    const known = before && before.at >= this.now() - FORGOTTEN_AFTER_MS ? before : undefined;
    // One outlier says little, and the first time takes longer than the others.
    const smoothed = known
      ? known.costMs + (costMs - known.costMs) / 4
      : Math.min(costMs, SHORTEST_PAUSE_MS * SHARE);
    this.#asked.set(question, { costMs: smoothed, at: this.now() });
  }

  /** Milliseconds until an answer is worth asking for again. */
  get pauseMs(): number {
    let roundMs = 0;
    const since = this.now() - FORGOTTEN_AFTER_MS;
    for (const [question, { costMs, at }] of this.#asked) {
      if (at < since) this.#asked.delete(question);
      else roundMs += costMs;
    }
    return Math.round(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, roundMs / SHARE)));
  }
}
