import type { Line } from './page-text';

/** A value, where it stands and how sure the rules are. */
export interface Finding<T> {
  readonly value: T;
  /** Id of the line, or null for a value that comes from several places. */
  readonly line: string | null;
  readonly quote: string | null;
  readonly confidence: number;
}

/** Longer quotes are no help in finding the place. */
const MAX_QUOTE = 300;

export function finding<T>(
  value: T,
  line: Line | null,
  quote: string | null,
  confidence: number,
): Finding<T> {
  return {
    value,
    line: line?.id ?? null,
    quote: quote === null ? null : quote.slice(0, MAX_QUOTE),
    confidence: Math.round(Math.min(Math.max(confidence, 0), 0.99) * 100) / 100,
  };
}

/** Below this a value is a guess, and the answer is null. */
const MIN_CONFIDENCE = 0.4;

export function sureOnly<T>(candidate: Finding<T> | null): Finding<T> | null {
  return candidate && candidate.confidence >= MIN_CONFIDENCE ? candidate : null;
}
