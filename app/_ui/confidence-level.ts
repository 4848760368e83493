/** From here on a confidence is high. */
export const HIGH_FROM = 0.9;
/** Below this it is low. */
export const LOW_BELOW = 0.6;

export type ConfidenceLevel = 'high' | 'middling' | 'low';

/** What kind of confidence it is, by the number that is shown: 89.6 % reads as 90 %, and must not be called less. */
export function confidenceLevel(value: number): ConfidenceLevel {
  const shown = Math.round(value * 100) / 100;
  if (shown >= HIGH_FROM) return 'high';
  return shown < LOW_BELOW ? 'low' : 'middling';
}

/** What to do about each. */
export const LEVEL_WORDS: Record<ConfidenceLevel, { readonly name: string; readonly check: string }> = {
  high: { name: 'high', check: 'Look at the failed checks, if there are any.' },
  middling: { name: 'middling', check: 'Compare the values that you rely on with the page.' },
  low: { name: 'low', check: 'Compare every value with the page.' },
};
