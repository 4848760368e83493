/** Weight of the newest measurement; about the last five seconds count. */
const WEIGHT = 0.25;

/** Bytes per second, smoothed; call once a second with the total sent so far. */
export function createRateMeter() {
  let last: { at: number; bytes: number } | null = null;
  let rate: number | null = null;
  return (bytes: number, at: number): number | null => {
    if (last && at > last.at) {
      const now = (Math.max(0, bytes - last.bytes) / (at - last.at)) * 1000;
      rate = rate === null ? now : rate * (1 - WEIGHT) + now * WEIGHT;
    }
    last = { at, bytes };
    return rate;
  };
}
