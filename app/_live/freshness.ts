/** What the indicator may claim. `live`: the stream speaks; `polling`: only the poll does; `stale`: neither. */
export type Freshness =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | { readonly state: 'polling' }
  | { readonly state: 'stale'; readonly since: number };

export interface Signs {
  /** When the page was opened, or came back into view after a long silence (all in milliseconds). */
  readonly openedAt: number;
  /** The last event of the stream, of any kind; null before the first. */
  readonly lastEventAt: number | null;
  /** The last event that came late: what is on the way holds the stream back. */
  readonly lastLateAt: number | null;
  /** The last answer of the server to anything. */
  readonly lastAnswerAt: number;
  /** The last request that got no answer; null when all did. */
  readonly lastFailureAt: number | null;
}

/** No event for so long and the stream is not live, whatever the socket says. */
export const NOT_LIVE_AFTER_MS = 12_000;
/** A stream that was held back is trusted again after so long without a late event. */
const DISTRUST_MS = 30_000;
/** Grace for the first event after a page load. */
const CONNECTING_MS = 3_000;
/** The stream silent for so long, and the page asks whether the server still answers, again and again. */
export const ASK_AFTER_MS = 5_000;
/** Then the second question has had no answer for some seconds either. */
const STALE_AFTER_MS = 13_000;

/** Decides what is true at `now`. */
export function decideFreshness(signs: Signs, now: number): Freshness {
  const { lastEventAt, lastLateAt } = signs;
  if (lastEventAt === null && now - signs.openedAt < CONNECTING_MS && !signs.lastFailureAt) {
    return { state: 'connecting' };
  }
  const heldBack = lastLateAt !== null && now - lastLateAt < DISTRUST_MS;
  if (lastEventAt !== null && now - lastEventAt < NOT_LIVE_AFTER_MS && !heldBack) return { state: 'live' };
  const silence = now - signs.lastAnswerAt;
  // A request failed since the last answer: no need to wait for more to know.
  const failing = signs.lastFailureAt !== null && signs.lastFailureAt > signs.lastAnswerAt;
  const stale = silence >= (failing ? NOT_LIVE_AFTER_MS : STALE_AFTER_MS);
  return stale ? { state: 'stale', since: signs.lastAnswerAt } : { state: 'polling' };
}

/**
 * Whether to ask the server for a sign of life.
 * @param askedAt when it was last asked
 * @param pauseMs to leave before the next question, see {@link nextPauseMs}
 */
export function shouldAsk(signs: Signs, askedAt: number, now: number, pauseMs = ASK_AFTER_MS): boolean {
  return now - Math.max(signs.lastEventAt ?? 0, signs.lastAnswerAt, askedAt) >= pauseMs;
}

/** The pause after a question that got no answer: grows to 10 s at most, jittered. */
export function nextPauseMs(pauseMs: number, random: () => number = Math.random): number {
  return Math.min(2 * pauseMs, 10_000) * (0.75 + random() / 4);
}
