/** Held back by more than this, an event is late. */
const LATE_MS = 3_000;

/** Tells events that something on the way has held back; of one connection, as clocks may be set in between. */
export interface LatenessGauge {
  /** @param sentAt the server's time; @param receivedAt ours (both in milliseconds): only differences count. */
  isLate(sentAt: number, receivedAt: number): boolean;
  reset(): void;
}

/**
 * The clocks of server and browser differ by nobody knows what, but always by the same: the quickest event shows how
 * much, and each one that took much longer than that was held back, as proxies do that gather a stream before they
 * hand it on (B34).
 */
export function createLatenessGauge(): LatenessGauge {
  let quickest = Number.POSITIVE_INFINITY;
  return {
    isLate(sentAt, receivedAt) {
      const took = receivedAt - sentAt;
      quickest = Math.min(quickest, took);
      return took - quickest > LATE_MS;
    },
    reset() {
      quickest = Number.POSITIVE_INFINITY;
    },
  };
}
