import type { MetricsTotals } from '@/lib/contract/api-metrics';
import { formatCount } from '../../_ui/format/count';
import { totalOf } from '../../_ui/status';

const tasks = (count: number) => `${formatCount(count)} ${count === 1 ? 'task' : 'tasks'}`;

/** Which tasks the spend per task is over, and how many of those chosen it leaves out: docs/api.md counts the same ones. */
export function costPopulation({
  pricedTasks,
  counts,
}: Pick<MetricsTotals, 'pricedTasks' | 'counts'>): string {
  const without = totalOf(counts) - pricedTasks;
  if (without <= 0) return tasks(pricedTasks);
  return `${tasks(pricedTasks)} with a cost; ${formatCount(without)} without one ${without === 1 ? 'is' : 'are'} left out`;
}

/** Which of the chosen tasks each figure with a middle is over, in one sentence. */
export function populations({
  pricedTasks,
  counts,
  confidence,
}: Pick<MetricsTotals, 'pricedTasks' | 'counts' | 'confidence'>): string {
  const all = totalOf(counts);
  return (
    `Of ${tasks(all)} chosen: response is over ${formatCount(counts.completed)} completed, ` +
    `spend over ${formatCount(pricedTasks)} with a cost, confidence over ${formatCount(confidence.count)} that have one.`
  );
}

/** Attempts that are not in an amount of money. */
export function unpricedWords(attempts: number): string {
  return `without ${formatCount(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'} of unknown price`;
}
