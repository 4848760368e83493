import { expect, test } from 'vitest';
import type { Measurement, Part, Target } from './measurement';
import { judge, summarise } from './summary';

const run = (row: string, round: number, perSecond: number, others = 0): Measurement => ({
  ...{ row, round, others, figures: { perSecond } },
});
const part = (targets: readonly Target[]): Part => ({
  ...{ name: 'throughput', title: 'Throughput', columns: [], notes: [], leftOut: [], targets },
  measurements: [
    run('ours', 1, 80),
    run('theirs', 1, 100),
    run('ours', 2, 300, 0.2),
    run('theirs', 2, 200),
    run('ours', 3, 90),
    run('theirs', 3, 100),
  ],
});
const target: Target = { says: 'to theirs', row: 'ours', figure: 'perSecond', over: { row: 'theirs' } };

test('a row is told with its median, its extremes and how many rounds were disturbed', () => {
  expect(summarise(part([])).rows[0]).toEqual({
    row: 'ours',
    rounds: 3,
    disturbed: 1,
    figures: { perSecond: { median: 90, min: 80, max: 300 } },
  });
});

test('a target is met by the median of the ratios inside each round', () => {
  expect(judge(part([]), { ...target, atLeast: 0.85, aim: 1 })).toMatchObject({
    measured: { median: 0.9, min: 0.8, max: 1.5 },
    wanted: '≥ 0.85 (aim 1)',
    pass: true,
  });
  expect(judge(part([]), { ...target, atLeast: 0.95 }).pass).toBe(false);
  expect(judge(part([]), { ...target, atMost: 0.85 }).pass).toBe(false);
});

test('a target without another row is about the figure itself', () => {
  const { says, row, figure } = target;
  expect(judge(part([]), { says, row, figure, atLeast: 90 })).toMatchObject({
    measured: { median: 90 },
    pass: true,
  });
});

test('a target whose rows were not measured is neither met nor missed', () => {
  expect(judge(part([]), { ...target, over: { row: 'absent' }, atLeast: 1 })).toMatchObject({
    measured: null,
    pass: null,
  });
});
