import type { Answer } from './receiver';

/** Such as "3 × noop". */
export function tally(answers: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const answer of answers) {
    const { outcome } = (answer?.body ?? {}) as { outcome?: string };
    const word = outcome ?? `status ${answer?.status}`;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} × ${word}`).join(', ') || 'none';
}
