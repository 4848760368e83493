import 'server-only';

const LONGEST_MS = 15 * 60_000;

/**
 * A session that has ended must not go on reading: streams end after so long (ms), and who comes back is asked again.
 * Not all at the same time: after a restart thousands have begun within a second.
 */
export function longestStreamMs(): number {
  return Math.round(LONGEST_MS * (0.8 + Math.random() * 0.2));
}
