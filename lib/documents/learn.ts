import type { Factors, Learnt } from './calibration';
import { estimateFromText, isScanned } from './estimate';

/** One attempt that succeeded, and the document that it worked on. */
export interface Sample {
  readonly pageCount: number;
  readonly textChars: number;
  /** Input and output. */
  readonly tokens: number;
  /** From dispatch to end. */
  readonly seconds: number;
}

/** Fewer say nothing yet. */
const MIN_SAMPLES = 5;
/** Beyond this, something other than the estimate is wrong. */
const FACTORS = { min: 0.05, max: 20 };
/** A version is kept until the newer figures differ by more than this. */
const WORTH_A_VERSION = 0.05;

/**
 * Learns from attempts that succeeded. Medians, so that a few runs that hung, or used ten times as much, move nothing.
 * Null with too few samples; a kind of document with too few of its own keeps the uncalibrated estimate.
 */
export function learn(samples: readonly Sample[]): Learnt | null {
  const usable = samples.filter((s) => s.pageCount > 0 && s.tokens > 0 && s.seconds >= 0);
  if (usable.length < MIN_SAMPLES) return null;
  return {
    samples: usable.length,
    tokensPerPage: median(usable.map((s) => s.tokens / s.pageCount)),
    secondsPerPage: median(usable.map((s) => s.seconds / s.pageCount)),
    text: factors(usable.filter((s) => !isScanned(s.pageCount, s.textChars))),
    scan: factors(usable.filter((s) => isScanned(s.pageCount, s.textChars))),
  };
}

function factors(samples: readonly Sample[]): Factors {
  if (samples.length < MIN_SAMPLES) return { tokens: 1, seconds: 1 };
  const raw = samples.map((s) => estimateFromText(s.pageCount, s.textChars));
  const ratio = (key: keyof Factors) =>
    Math.min(
      FACTORS.max,
      Math.max(FACTORS.min, median(samples.map((s, n) => s[key] / (raw[n]?.[key] ?? Number.NaN)))),
    );
  return { tokens: ratio('tokens'), seconds: ratio('seconds') };
}

/** Whether newer figures differ enough from those in use to be worth a version of their own. */
export function isNews(learnt: Learnt, current: Learnt | null): boolean {
  if (!current) return true;
  const figures = (l: Learnt) => [
    l.tokensPerPage,
    l.secondsPerPage,
    l.text.tokens,
    l.text.seconds,
    l.scan.tokens,
    l.scan.seconds,
  ];
  const before = figures(current);
  return figures(learnt).some(
    (now, n) => Math.abs(now - (before[n] ?? 0)) > WORTH_A_VERSION * (before[n] ?? 0),
  );
}

/** Median of |actual − estimated| ÷ actual; null without any. */
export function medianError(pairs: readonly { actual: number; estimated: number }[]): number | null {
  const usable = pairs.filter(({ actual }) => actual > 0);
  return usable.length === 0
    ? null
    : median(usable.map(({ actual, estimated }) => Math.abs(actual - estimated) / actual));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const at = (n: number) => sorted[n] ?? 0;
  return sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2;
}
