/** What the indicator may claim. `live`: the stream speaks; `polling`: only the poll does; `stale`: neither. */
export type Freshness =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | { readonly state: 'polling' }
  | { readonly state: 'stale'; readonly since: number };

export interface Signs {
  /** When the page was opened (all in milliseconds). */
  readonly openedAt: number;
  /** The last event of the stream, of any kind; null before the first. */
  readonly lastEventAt: number | null;
  /** The last answer of the server to anything. */
  readonly lastAnswerAt: number;
  /** The last request that got no answer; null when all did. */
  readonly lastFailureAt: number | null;
  readonly pollMs: number;
}

/** No event for so long and the stream is not live, whatever the socket says. */
export const NOT_LIVE_AFTER_MS = 12_000;
/** Grace for the first event after a page load. */
const CONNECTING_MS = 3_000;
/** Two polls missed, and the time one may take. */
const STALE_AFTER_POLLS = 2;
const ANSWER_GRACE_MS = 5_000;

/** Decides what is true at `now`. */
export function decideFreshness(signs: Signs, now: number): Freshness {
  if (signs.lastEventAt !== null && now - signs.lastEventAt < NOT_LIVE_AFTER_MS) return { state: 'live' };
  const silence = now - signs.lastAnswerAt;
  // A request failed since the last answer: no need to wait for the next poll to know.
  const failing = signs.lastFailureAt !== null && signs.lastFailureAt > signs.lastAnswerAt;
  const patience = failing ? NOT_LIVE_AFTER_MS : signs.pollMs * STALE_AFTER_POLLS + ANSWER_GRACE_MS;
  if (silence > patience) {
    return { state: 'stale', since: signs.lastAnswerAt };
  }
  if (signs.lastEventAt === null && now - signs.openedAt < CONNECTING_MS) return { state: 'connecting' };
  return { state: 'polling' };
}
